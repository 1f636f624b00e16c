import type { Uuid } from '../../kernel/ids.js';
import type { Found } from './group-lookups.js';
import type { Write } from './sql-statement.js';
import { type CommitGuard, type Lookup, MustBeAlone, Tx } from './tx.js';

/** The end of a member's work, as its group sees it. */
export type MemberOutcome =
  | { kind: 'done'; result: unknown; writes: readonly Write[]; noted: readonly (() => void)[] }
  | { kind: 'refused'; error: unknown }
  /** It needs more than the group looked up, or waits for a row: it is done alone. */
  | { kind: 'left' }
  /** The group has enough to write. */
  | { kind: 'postponed' };

export const LEFT: MemberOutcome = { kind: 'left' };

/** The part of a group that its members see. */
export interface GroupState {
  /** The transaction that all of them share. */
  tx: Tx;
  /** Loaded things, as the members before leave them. */
  left: Map<string, unknown>;
  /** Looks up in a member's turn, so no write of the group may change the answer. */
  findLate(lookup: Lookup): Promise<unknown[]>;
}

interface Asked {
  lookup: Lookup;
  answer: (rows: readonly never[]) => void;
}

/**
 * The transaction of a group as one member sees it. Its work begins at once and stops at its
 * look-ups; `decide` lets it go on. If it needs another read, it leaves the group.
 */
export class MemberTx extends Tx {
  private readonly asked: Asked[] = [];
  private readonly ended: Promise<MemberOutcome>;
  private readonly taken = new Map<string, unknown>();
  private hasBegun = false;

  constructor(
    private readonly group: GroupState,
    work: (tx: Tx) => Promise<unknown>,
    private readonly guard: CommitGuard<unknown> | undefined,
  ) {
    super();
    this.ended = this.carryOut(work);
    this.hasBegun = true;
  }

  get lookups(): Lookup[] {
    const own = this.asked.map(({ lookup }) => lookup);
    return this.guard ? [...own, this.guard.lookup] : own;
  }

  /** In its turn, after all members before it. */
  async decide(found: Found): Promise<MemberOutcome> {
    for (const lookup of this.lookups) {
      const isHeld = lookup.withoutWaiting !== undefined && rowsOf(found, lookup).length === 0;
      if (isHeld) return LEFT;
    }
    try {
      if (this.guard) this.guard.onFound(rowsOf(found, this.guard.lookup)[0]);
    } catch (error) {
      return { kind: 'refused', error };
    }
    for (const { lookup, answer } of this.asked) answer(rowsOf(found, lookup));
    const outcome = await this.ended;
    if (outcome.kind === 'done')
      for (const [key, thing] of this.taken) this.group.left.set(key, thing);
    return outcome;
  }

  now(): Date {
    return this.group.tx.now();
  }

  newId(): Uuid {
    return this.group.tx.newId();
  }

  async load<Row>(lookup: Lookup): Promise<Row[]> {
    if (this.hasBegun) {
      if (lookup.claims !== null || lookup.withoutWaiting !== undefined) throw new MustBeAlone();
      return this.group.findLate(lookup) as Promise<Row[]>;
    }
    return new Promise((resolve) => {
      this.asked.push({ lookup, answer: (rows) => resolve(rows as readonly Row[] as Row[]) });
    });
  }

  async read<Row>(): Promise<Row[]> {
    throw new MustBeAlone();
  }

  async flush(): Promise<void> {
    throw new MustBeAlone();
  }

  handedOn<Thing>(key: string, loaded: () => Thing, again: (left: Thing) => Thing): Thing {
    const before = this.group.left.get(key) as Thing | undefined;
    const thing = before === undefined ? loaded() : again(before);
    this.taken.set(key, thing);
    return thing;
  }

  private async carryOut(work: (tx: Tx) => Promise<unknown>): Promise<MemberOutcome> {
    try {
      const result = await work(this);
      if (this.guard?.record) this.queue(this.guard.record(result));
      return { kind: 'done', result, writes: this.writes, noted: this.noted };
    } catch (error) {
      return error instanceof MustBeAlone ? LEFT : { kind: 'refused', error };
    }
  }
}

function rowsOf(found: Found, lookup: Lookup): readonly never[] {
  return (found.get(lookup) ?? []) as readonly never[];
}
