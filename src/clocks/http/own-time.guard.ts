import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ApiRequest } from '../../platform/http/request.js';

/** Has callers in the time of their account. It refuses nobody. */
@Injectable()
export class OwnTimeGuard implements CanActivate {
  constructor(private readonly clock: Clock) {}

  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<ApiRequest>();
    if (user) this.clock.enter(user.accountId);
    return true;
  }
}
