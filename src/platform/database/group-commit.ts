import pg from 'pg';
import { inAskersTime } from '../../kernel/clock.js';
import { databaseBusy } from './servers/connections.js';
import type { Metrics } from '../observability/metrics.js';
import type { OpenSpan } from '../tracing/tracer.js';
import { tracing } from '../tracing/tracing.js';
import { translateDatabaseError } from './database-error.js';
import type { DatabaseProbe } from './database-probe.js';
import { findAll, type Found, keyOf } from './group-lookups.js';
import { GroupWrites } from './group-writes.js';
import type { LoneTx } from './lone-tx.js';
import { type GroupState, LEFT, MemberTx, type MemberOutcome } from './member-tx.js';
import type { Transactions } from './transactions.js';
import { type CommitGuard, type Lookup, MustBeAlone, type Tx } from './tx.js';

/** Two share the database's time well: while one is written, the other decides. */
const GROUPS_AT_ONCE = 2;
const MOST_MEMBERS = 100;
/** One group is enough for these. More are shared by the groups that may begin. */
const FEW = 12;
/** Groups on one connection. Then it is given back, and whoever waits in the database gets the row. */
const MOST_IN_A_ROW = 8;
const MOST_BYTES = 4_000_000;
const MOST_WAITING = 2000;
const WAIT_MS = 15_000;
const NOTHING_YET = {};

/** Facts of work that groups need before it begins. */
export interface Shared {
  /** If more wait than fit, owners take turns: accounts, or gateways. */
  owner: string;
  /** Ids of rows that the work locks. Two groups of a process never ask for the same. */
  rows: readonly string[];
  /** Whether repeating it, should the answer to COMMIT be lost, does nothing twice. */
  isRepeatable: boolean;
}

type Work<Result> = (tx: Tx) => Promise<Result>;
type RunAlone = <Result>(
  work: Work<Result>,
  guard?: CommitGuard<Result>,
  /** False: `MustBeAlone` instead of waiting for a row that somebody else holds. */
  isPatient?: boolean,
) => Promise<Result>;

/** One caller's work, until it has its answer. */
interface Member {
  shared: Shared;
  work: Work<unknown>;
  guard: CommitGuard<unknown> | undefined;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  patience: NodeJS.Timeout | undefined;
  /** From here to its answer; groups are begun by others. */
  span: OpenSpan;
}

/** Members that share a transaction. */
interface Group {
  members: readonly Member[];
  tx: LoneTx;
  /** 1 on a connection of its own; else one more than the group behind whose COMMIT it was sent. */
  place: number;
}

/**
 * Group commit: work that is under way at the same moment shares a transaction, with one look-up of
 * each kind, each row written once, and one COMMIT. Nobody waits for others to come: a group is what
 * arrived while those before it were under way. Those that want the rows of a group are sent behind its
 * COMMIT on the same connection, before it is answered.
 *
 * Members are decided one after the other, each on what the ones before it left. A refusal leaves no
 * trace. If anything else goes wrong, each member is done alone (decision 140).
 */
export class GroupCommit {
  private waiting: Member[] = [];
  private readonly underWay = new Set<Group>();
  private isAboutToBegin = false;
  private readonly held = new Map<string, Group>();

  constructor(
    private readonly transactions: Transactions,
    private readonly probe: DatabaseProbe,
    private readonly metrics: Metrics,
    private readonly runAlone: RunAlone,
  ) {}

  async run<Result>(
    shared: Shared,
    work: Work<Result>,
    guard?: CommitGuard<Result>,
  ): Promise<Result> {
    const wait = async (span: OpenSpan): Promise<Result> =>
      new Promise((resolve, reject) => {
        const member: Member = {
          shared,
          // A group is begun by whoever comes first, and each member is in the time of its own account.
          work: inAskersTime(work),
          guard: guard as CommitGuard<unknown> | undefined,
          resolve: resolve as (result: unknown) => void,
          reject,
          patience: undefined,
          span,
        };
        if (!this.hasRoomFor(shared.owner)) {
          reject(databaseBusy());
          return;
        }
        this.waiting.push(member);
        this.beginSoon();
      });
    return tracing.span('group commit', NOTHING_YET, wait);
  }

  /** In a full queue the newest of the owner with the most gives way to owners with fewer. */
  private hasRoomFor(owner: string): boolean {
    if (this.waiting.length < MOST_WAITING) return true;
    const last = inTurns(this.waiting).at(-1);
    if (!last || this.waitingOf(last.shared.owner) <= this.waitingOf(owner) + 1) return false;
    this.giveUp(last);
    return true;
  }

  private waitingOf(owner: string): number {
    return this.waiting.filter(({ shared }) => shared.owner === owner).length;
  }

  private giveUp(member: Member): void {
    clearTimeout(member.patience);
    this.waiting = this.waiting.filter((one) => one !== member);
    member.reject(databaseBusy());
  }

  /** With all of those whose requests have come by now. */
  private beginSoon(): void {
    if (this.isAboutToBegin) return;
    this.isAboutToBegin = true;
    setImmediate(() => {
      this.isAboutToBegin = false;
      this.begin();
      for (const member of this.waiting) {
        member.patience ??= setTimeout(() => this.giveUp(member), WAIT_MS);
      }
    });
  }

  private begin(): void {
    while (this.underWay.size < GROUPS_AT_ONCE) {
      const members = this.next();
      if (members.length === 0) break;
      this.start(members);
    }
    for (const group of this.underWay) if (group.tx.canHandOn) this.followOn(group);
  }

  /** Unless somebody else has waited longer, or waits for a connection. */
  private followOn(group: Group): void {
    const wanting = this.waiting.filter(({ shared }) => {
      const holders = new Set(shared.rows.map((row) => this.held.get(row)));
      holders.delete(undefined);
      return holders.size === 1 && holders.has(group);
    });
    const [longest] = this.waiting;
    if (!longest || longest !== wanting[0]) return;
    if (group.place >= MOST_IN_A_ROW || this.transactions.areWaitedFor) return;
    this.start(this.take(inTurns(wanting).slice(0, MOST_MEMBERS)), group);
  }

  private start(members: readonly Member[], before?: Group): void {
    const group: Group = {
      members,
      tx: this.transactions.open({ lease: before?.tx.handOn() }),
      place: before ? before.place + 1 : 1,
    };
    const rows = members.flatMap(({ shared }) => shared.rows);
    for (const row of rows) this.held.set(row, group);
    this.underWay.add(group);
    const ended = () => {
      for (const row of rows) if (this.held.get(row) === group) this.held.delete(row);
      this.underWay.delete(group);
      this.begin();
    };
    this.carryOut(group).then(ended, ended);
  }

  /** Accounts take turns; rows of another group are waited for. */
  private next(): readonly Member[] {
    const free = this.waiting.filter(
      ({ shared }) => !shared.rows.some((row) => this.held.has(row)),
    );
    // Those that want one row can only be in one group.
    const rows = new Set(free.flatMap(({ shared }) => shared.rows)).size;
    const places = free.length < FEW ? 1 : Math.min(GROUPS_AT_ONCE - this.underWay.size, rows);
    const most = Math.min(Math.ceil(free.length / places), MOST_MEMBERS);
    return this.take(free.length <= most ? free : inTurns(free).slice(0, most));
  }

  private take(chosen: readonly Member[]): readonly Member[] {
    for (const member of chosen) {
      clearTimeout(member.patience);
      member.patience = undefined;
    }
    const taken = new Set(chosen);
    this.waiting = this.waiting.filter((member) => !taken.has(member));
    return chosen;
  }

  private async carryOut(group: Group): Promise<void> {
    const [first, second] = group.members;
    if (first && !second && group.place === 1) return this.carryOutOne(first);
    const rootFor = () => group.members.map(({ span }) => span);
    const carryOut = async (own: OpenSpan) => {
      own.set({ 'quittance.group.members': group.members.length });
      for (const { span } of group.members) span.linkTo(own);
      await this.carryOutTogether(group);
    };
    return tracing.span('group transaction', NOTHING_YET, carryOut, { rootFor });
  }

  private async carryOutOne(member: Member): Promise<void> {
    try {
      const done = member.span.within(async () => this.runAlone(member.work, member.guard, false));
      member.resolve(await done);
    } catch (error) {
      if (error instanceof MustBeAlone) this.alone(member);
      else member.reject(error);
    }
  }

  private async carryOutTogether(group: Group): Promise<void> {
    const { members, tx } = group;
    this.metrics.countGroup();
    try {
      const { outcomes, writes } = await decide(tx, members);
      await tx.commit(writes.statements(), () => this.beginSoon());
      this.probe.noteWrite();
      this.answer(members, outcomes);
    } catch (error) {
      this.probe.noteFailure(error);
      const isUndone = !tx.isCommitting || isRolledBack(error);
      for (const member of members) {
        this.metrics.countGroupMember('undone');
        if (isUndone || member.shared.isRepeatable) this.alone(member);
        else member.reject(translateDatabaseError(error));
      }
    } finally {
      await tx.end();
    }
  }

  private answer(members: readonly Member[], outcomes: readonly MemberOutcome[]): void {
    const postponed = members.filter((_, index) => outcomes[index]?.kind === 'postponed');
    this.waiting.unshift(...postponed);
    if (postponed.length > 0) this.beginSoon();
    for (const [index, member] of members.entries()) {
      const outcome = outcomes[index] ?? LEFT;
      this.metrics.countGroupMember(outcome.kind === 'left' ? 'alone' : outcome.kind);
      if (outcome.kind === 'done') member.resolve(outcome.result);
      if (outcome.kind === 'refused') member.reject(outcome.error);
      if (outcome.kind === 'left') this.alone(member);
    }
  }

  private alone({ work, guard, resolve, reject, span }: Member): void {
    span.within(async () => this.runAlone(work, guard)).then(resolve, reject);
  }
}

interface Decided {
  /** Of each member, in their order. */
  outcomes: MemberOutcome[];
  writes: GroupWrites;
}

/** One after the other, as they came. */
async function decide(tx: Tx, members: readonly Member[]): Promise<Decided> {
  const late = new Map<string, Promise<unknown[]>>();
  const group: GroupState = {
    tx,
    left: new Map(),
    findLate: async (lookup) => {
      const key = keyOf(lookup);
      const found = late.get(key) ?? tx.read(lookup.text, lookup.values);
      late.set(key, found);
      return found;
    },
  };
  const claimed = new Set<string>();
  const begun = members.map(({ work, guard, span }) => {
    const member = new MemberTx(group, (own) => span.within(() => work(own)), guard);
    return claim(claimed, member.lookups) ? member : null;
  });
  const found = await findAll(
    tx,
    begun.flatMap((member) => member?.lookups ?? []),
  );
  const writes = new GroupWrites();
  const outcomes: MemberOutcome[] = [];
  for (const member of begun) {
    const outcome = await decideOne(member, found, writes);
    if (outcome.kind === 'done') {
      writes.add(outcome.writes);
      tx.onCommit(...outcome.noted);
    }
    outcomes.push(outcome);
  }
  return { outcomes, writes };
}

async function decideOne(
  member: MemberTx | null,
  found: Found,
  { bytes }: GroupWrites,
): Promise<MemberOutcome> {
  if (!member) return LEFT;
  return bytes > MOST_BYTES ? { kind: 'postponed' } : member.decide(found);
}

/** @returns whether nobody before has claimed one of them */
function claim(claimed: Set<string>, lookups: readonly Lookup[]): boolean {
  const claims = lookups.flatMap(({ claims: one }) => one ?? []);
  if (claims.some((one) => claimed.has(one))) return false;
  for (const one of claims) claimed.add(one);
  return true;
}

/** One of each account, then the next of each. */
function inTurns(members: readonly Member[]): Member[] {
  const places = new Map<string, number>();
  const placed = members.map((member) => {
    const { owner } = member.shared;
    const place = places.get(owner) ?? 0;
    places.set(owner, place + 1);
    return { member, place };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ member }) => member);
}

/** The server answered, and had not carried out COMMIT. Without an answer nobody knows. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}
