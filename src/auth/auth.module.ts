import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BodyGuard } from '../platform/http/body/body.guard.js';
import { RateLimitGuard } from '../platform/http/limits/rate-limit.guard.js';
import { ReadOnlyGuard } from '../platform/http/read-only.guard.js';
import { PreconditionsGuard } from '../platform/http/preconditions.guard.js';
import { IssuedTokens } from './application/issued-tokens.js';
import { NoOtherIssuer, TokenIssuer } from './domain/token-issuer.js';
import { portOf } from '../platform/ports.js';
import { AccessTokens } from './application/access-tokens.js';
import { Accounts } from './application/accounts.service.js';
import { Admissions } from './application/admissions.js';
import { AuditedWork } from './application/audited-work.js';
import { AuditLog } from './application/audit-log.js';
import { RefusalLog } from './application/refusal-log.js';
import { ClientAuthentication } from './application/client-authentication.js';
import { ApiClientUse } from './application/api-client-use.js';
import { ApiClients } from './application/api-clients.service.js';
import { RefreshTokens } from './application/refresh-tokens.js';
import { Revocations } from './application/revocations.js';
import { TokenRevocation } from './application/token-revocation.service.js';
import { Tokens } from './application/tokens.service.js';
import { AccessGuard } from './http/access.guard.js';
import { aStrategyName, BearerStrategy } from './http/bearer.strategy.js';
import { AuditController } from './http/audit.controller.js';
import { ClientsController } from './http/clients.controller.js';
import { TokenController } from './http/token.controller.js';
import { AccountRow } from './infrastructure/account.row.js';
import { AuditQuery } from './infrastructure/audit.query.js';
import { ApiClientsQuery } from './infrastructure/api-clients.query.js';
import { ApiClientRepository } from './infrastructure/api-client.repository.js';
import { TokenFamilyRepository } from './infrastructure/token-family.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AccountRow]),
    JwtModule.register({}),
    PassportModule.registerAsync({ useFactory: aStrategyName }),
  ],
  controllers: [TokenController, ClientsController, AuditController],
  providers: [
    Accounts,
    AuditLog,
    AuditedWork,
    RefusalLog,
    AuditQuery,
    ApiClients,
    ClientAuthentication,
    ApiClientRepository,
    ApiClientsQuery,
    ApiClientUse,
    Tokens,
    TokenRevocation,
    AccessTokens,
    BearerStrategy,
    RefreshTokens,
    Revocations,
    Admissions,
    TokenFamilyRepository,
    IssuedTokens,
    portOf(TokenIssuer, NoOtherIssuer),
    // In this order: whether we take it at all, who it is, whether they may, on which conditions,
    // and only then what they say.
    { provide: APP_GUARD, useClass: ReadOnlyGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: PreconditionsGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
  ],
  exports: [
    Accounts,
    Admissions,
    AuditedWork,
    AuditLog,
    AuditQuery,
    ApiClients,
    ApiClientsQuery,
    RefusalLog,
  ],
})
export class AuthModule {}
