import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BodyGuard } from '../platform/http/body.guard.js';
import { RateLimitGuard } from '../platform/http/rate-limit.guard.js';
import { AccessTokens } from './application/access-tokens.js';
import { Accounts } from './application/accounts.service.js';
import { AuditLog } from './application/audit-log.js';
import { RefusalLog } from './application/refusal-log.js';
import { Tokens } from './application/tokens.service.js';
import { AccessGuard } from './http/access.guard.js';
import { AuditController } from './http/audit.controller.js';
import { TokenController } from './http/token.controller.js';
import { AccountRow } from './infrastructure/account.row.js';
import { ApiClientRow } from './infrastructure/api-client.row.js';
import { AuditQuery } from './infrastructure/audit.query.js';
import { RefreshTokenRow } from './infrastructure/refresh-token.row.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AccountRow, ApiClientRow, RefreshTokenRow]),
    JwtModule.register({}),
  ],
  controllers: [TokenController, AuditController],
  providers: [
    Accounts,
    AuditLog,
    RefusalLog,
    AuditQuery,
    Tokens,
    AccessTokens,
    // In this order: who it is, whether they may, and only then what they say.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
  ],
  exports: [Accounts, AuditLog, AuditQuery, RefusalLog],
})
export class AuthModule {}
