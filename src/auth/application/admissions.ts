import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { type Revocable, Revocations } from './revocations.js';

/** The holder of a token that was verified. */
interface Holder {
  expiresAtMs: number;
}

/** Whether a token counts: when a request comes, and while an answer lasts. */
@Injectable()
export class Admissions {
  /** The claims of tokens that were verified. */
  private readonly claims = new WeakMap<Holder, Revocable>();

  constructor(
    private readonly clock: Clock,
    private readonly revocations: Revocations,
  ) {}

  /** @param claims those of the token, which is verified */
  know(holder: Holder, claims: Revocable): void {
    this.claims.set(holder, claims);
  }

  /** As `admits`; the rest of the request is then in the time of its account. */
  admit(caller: Holder & { accountId: Uuid }): boolean {
    const isAdmitted = this.admits(caller);
    if (isAdmitted) this.clock.enter(caller.accountId);
    return isAdmitted;
  }

  /** Not once it is over, revoked, or was never known here. */
  admits(holder: Holder): boolean {
    const claims = this.claims.get(holder);
    if (!claims || holder.expiresAtMs <= this.clock.serverNow().getTime()) return false;
    return !this.revocations.ends(claims);
  }
}
