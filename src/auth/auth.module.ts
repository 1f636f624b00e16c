import { createSecretKey } from 'node:crypto';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../platform/config/config.js';
import { RateLimitGuard } from '../platform/http/rate-limit.guard.js';
import { Accounts } from './application/accounts.service.js';
import { AuditLog } from './application/audit-log.js';
import { Tokens } from './application/tokens.service.js';
import { AccessGuard } from './http/access.guard.js';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  AccessTokenStrategy,
} from './http/access-token.strategy.js';
import { TokenController } from './http/token.controller.js';
import { AccountRow } from './infrastructure/account.row.js';
import { ApiClientRow } from './infrastructure/api-client.row.js';
import { RefreshTokenRow } from './infrastructure/refresh-token.row.js';

@Module({
  imports: [
    PassportModule,
    TypeOrmModule.forFeature([AccountRow, ApiClientRow, RefreshTokenRow]),
    JwtModule.registerAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        secret: createSecretKey(Buffer.from(config.secret)) as never,
        signOptions: {
          algorithm: 'HS256',
          header: { alg: 'HS256', typ: ACCESS_TOKEN_TYPE },
          issuer: ACCESS_TOKEN_ISSUER,
          audience: ACCESS_TOKEN_AUDIENCE,
          expiresIn: config.accessTokenSeconds,
        },
      }),
    }),
  ],
  controllers: [TokenController],
  providers: [
    Accounts,
    AuditLog,
    Tokens,
    AccessTokenStrategy,
    // In this order: the limit is counted for the client that authentication found.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [Accounts, AuditLog],
})
export class AuthModule {}
