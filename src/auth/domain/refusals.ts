import { NO_ACCOUNT, type Uuid } from '../../kernel/ids.js';

/** Somebody was turned away. It changes nothing, and anybody can bring it about, at any rate. */
export interface AccessRefusal {
  action: 'login.failed' | 'refresh_token.reused' | 'signature.refused';
  /** The account of the client that was named; `NO_ACCOUNT` if nobody knows. */
  accountId: Uuid;
  /** Public id or name of what exists; never a text as the caller sent it. */
  subject: string | null;
  address: string | null;
  requestId: string | null;
}

/** Refusals that are alike, since the last time that some of them were written; the latest of them. */
export interface AlikeRefusals extends AccessRefusal {
  count: number;
  at: Date;
  isNew: boolean;
}

/** So many subjects and addresses of an account and an action are told apart in a minute. */
export const TOLD_APART = 10;
/** And so many accounts and actions. */
const GROUPS = 100;

const MINUTE_MS = 60_000;

/**
 * Counts refusals by account, action, subject and address. The first of a kind is due at once, the
 * others when the minute is over. However many come, what is remembered and written is bounded.
 */
export class Refusals {
  private readonly groups = new Map<string, Map<string, AlikeRefusals>>();
  private endsAt = 0;

  add(refusal: AccessRefusal, at: Date): void {
    if (this.groups.size === 0) this.endsAt = at.getTime() + MINUTE_MS;
    const alike = this.alikeOf(refusal, at);
    alike.count += 1;
    alike.requestId = refusal.requestId;
    alike.at = at;
  }

  /** The refusals to write now, as a copy: more may come during the write. */
  due(now: Date): AlikeRefusals[] {
    const isOver = now.getTime() >= this.endsAt;
    return this.all()
      .filter(({ count, isNew }) => count > 0 && (isNew || isOver))
      .map((alike) => ({ ...alike }));
  }

  /** Forgets what was due then. */
  written(due: readonly AlikeRefusals[], now: Date): void {
    for (const { count, ...refusal } of due) {
      const alike = this.alikeOf(refusal, now);
      alike.count -= count;
      alike.isNew = false;
    }
    if (now.getTime() < this.endsAt) return;
    this.endsAt = now.getTime() + MINUTE_MS;
    for (const [key, group] of this.groups) {
      for (const [kind, { count }] of group) if (count === 0) group.delete(kind);
      if (group.size === 0) this.groups.delete(key);
    }
  }

  /** No more will come: all that is left is due. */
  close(): void {
    this.endsAt = 0;
  }

  private all(): AlikeRefusals[] {
    return [...this.groups.values()].flatMap((group) => [...group.values()]);
  }

  private alikeOf(refusal: AccessRefusal, at: Date): AlikeRefusals {
    const { action } = refusal;
    const isFull = this.groups.size >= GROUPS && !this.groups.has(`${refusal.accountId} ${action}`);
    const accountId = isFull ? NO_ACCOUNT : refusal.accountId;
    const group = entryOf(
      this.groups,
      `${accountId} ${action}`,
      () => new Map<string, AlikeRefusals>(),
    );
    const kind = `${refusal.subject} ${refusal.address}`;
    const isOther = group.size >= TOLD_APART && !group.has(kind);
    const { subject, address } = isOther ? { subject: null, address: null } : refusal;
    return entryOf(group, `${subject} ${address}`, () => {
      return { ...refusal, accountId, subject, address, count: 0, at, isNew: true };
    });
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
