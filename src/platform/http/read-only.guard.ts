import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { onlyReads } from '../../kernel/common-refusals.js';
import { Config } from '../config/config.js';
import type { ApiRequest } from './request.js';
import { READS } from './route.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A service that only reads refuses what would write before anything is asked of the database
 * (decision 296). Providers are told so, too: they send again, to the one that takes it.
 */
@Injectable()
export class ReadOnlyGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  /** @throws DomainError 503 `database_read_only` */
  canActivate(context: ExecutionContext): boolean {
    if (!this.config.readOnly) return true;
    const { method } = context.switchToHttp().getRequest<ApiRequest>();
    if (SAFE.has(method) || this.reflector.get(READS, context.getHandler())) return true;
    throw onlyReads();
  }
}
