import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BodyGuard } from '../platform/http/body/body.guard.js';
import { RateLimitGuard } from '../platform/http/limits/rate-limit.guard.js';
import { AccessTokens } from './application/access-tokens.js';
import { Accounts } from './application/accounts.service.js';
import { AuditLog } from './application/audit-log.js';
import { RefusalLog } from './application/refusal-log.js';
import { ClientAuthentication } from './application/client-authentication.js';
import { ClientUse } from './application/client-use.js';
import { Clients } from './application/clients.service.js';
import { RefreshTokens } from './application/refresh-tokens.js';
import { Revocations } from './application/revocations.js';
import { Tokens } from './application/tokens.service.js';
import { AccessGuard } from './http/access.guard.js';
import { AuditController } from './http/audit.controller.js';
import { ClientsController } from './http/clients.controller.js';
import { TokenController } from './http/token.controller.js';
import { AccountRow } from './infrastructure/account.row.js';
import { AuditQuery } from './infrastructure/audit.query.js';
import { ClientsQuery } from './infrastructure/clients.query.js';
import { ClientRepository } from './infrastructure/client.repository.js';
import { TokenFamilyRepository } from './infrastructure/token-family.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccountRow]), JwtModule.register({})],
  controllers: [TokenController, ClientsController, AuditController],
  providers: [
    Accounts,
    AuditLog,
    RefusalLog,
    AuditQuery,
    Clients,
    ClientAuthentication,
    ClientRepository,
    ClientsQuery,
    ClientUse,
    Tokens,
    AccessTokens,
    RefreshTokens,
    Revocations,
    TokenFamilyRepository,
    // In this order: who it is, whether they may, and only then what they say.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
  ],
  exports: [Accounts, AuditLog, AuditQuery, Clients, ClientsQuery, RefusalLog],
})
export class AuthModule {}
