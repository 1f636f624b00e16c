import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFault, ClusterStage } from './cluster-faults.js';
import type { AcknowledgedPayment, Payers } from './payers.js';
import { countStored, eventsOf, toldLosses } from './stored-payments.js';

const TOLD_WITHIN_S = 60;
const WATCH_MS = 200;

export interface RoundResult {
  acknowledged: number;
  lost: number;
  doubled: number;
  /** The longest time in which nobody had a payment acknowledged. */
  gapS: number;
  /** From the fault until another node takes changes; null: none took over. */
  takenOverS: number | null;
  /** From then until the first payment. */
  firstPaymentS: number | null;
  refusals: [string, number][];
  /** Of lost payments: how many were named in time, and after how many seconds the last was. */
  told: { named: number; byName: boolean; afterS: number } | null;
}

interface Takeover {
  atMs: number;
  at: Date;
}

/** One fault under load. The server that had a lost payment says its name. */
export class FaultRound {
  private readonly known: Set<string>;
  private isOver = false;
  private takeover: Takeover | undefined;

  /** @param known names of payments that earlier rounds lost */
  constructor(
    private readonly stage: ClusterStage,
    private readonly payers: Payers,
    private readonly fault: ClusterFault,
    known: Set<string>,
  ) {
    this.known = known;
  }

  /** @param goal how many payments are acknowledged at its end, at least */
  async play(goal: number): Promise<RoundResult> {
    const { stage, payers } = this;
    const { cluster } = stage;
    const begun = payers.acknowledged.length;
    await payers.untilMore(100);
    const before = new Map(payers.refusals);
    const primary = await cluster.primary();
    const startMs = performance.now();
    const watching = this.watch(primary.name);
    const injury = await this.fault.wound(stage);
    await sleep(this.fault.holdMs);
    await cluster.primary();
    let told: RoundResult['told'] = null;
    let counted = await this.count();
    const { victim, reading } = injury;
    let events = new Map<string, string>();
    if (counted.lost.length > 0 && victim && reading) {
      const close = await reading();
      events = await eventsOf(victim, counted.lost);
      await close();
    }
    if (counted.lost.length > 0) told = await this.untilTold(counted.lost, events);
    await injury.heal?.();
    await cluster.untilWhole();
    await payers.untilMore(100);
    const endMs = performance.now();
    await payers.until(goal);
    this.isOver = true;
    await watching;
    const again = await this.count();
    // Lost by what came after the fault, such as a rewind.
    const late = again.lost.filter(({ name }) => !counted.lost.some((one) => one.name === name));
    if (late.length > 0 && told === null) told = await this.untilTold(late, new Map());
    const lost = [...counted.lost, ...late];
    for (const { name } of lost) this.known.add(name);
    const first = payers.acknowledged.find(({ atMs }) => atMs > (this.takeover?.atMs ?? Infinity));
    return {
      acknowledged: payers.acknowledged.length - begun,
      lost: lost.length,
      doubled: again.doubled.length + payers.doubled.length,
      gapS: longestGap(payers.acknowledged, startMs, endMs),
      takenOverS: this.takeover ? (this.takeover.atMs - startMs) / 1000 : null,
      firstPaymentS: this.takeover && first ? (first.atMs - this.takeover.atMs) / 1000 : null,
      refusals: [...payers.refusals]
        .map(([what, times]): [string, number] => [what, times - (before.get(what) ?? 0)])
        .filter(([, times]) => times > 0),
      told,
    };
  }

  private async count() {
    const { cluster } = this.stage;
    const { lost, doubled } = await countStored(cluster, this.payers.acknowledged);
    return { lost: lost.filter(({ name }) => !this.known.has(name)), doubled };
  }

  private async watch(from: string): Promise<void> {
    while (!this.isOver) {
      if (this.takeover === undefined) {
        for (const node of this.stage.cluster.nodes)
          if (node.name !== from && (await node.isPrimary()))
            this.takeover ??= { atMs: performance.now(), at: new Date() };
      }
      await sleep(WATCH_MS);
    }
  }

  /** Until the audit log names each; where the old server cannot be asked, their number counts. */
  private async untilTold(lost: readonly AcknowledgedPayment[], events: Map<string, string>) {
    const since = this.takeover?.at ?? new Date();
    const byName = lost.every(({ id }) => events.has(id));
    const names = new Set([...events.values()].map((event) => `payment.recorded ${event}`));
    for (;;) {
      const entries = (await toldLosses(this.stage.cluster)).filter(({ at }) => at >= since);
      const told = entries.flatMap(({ facts }) => facts.map((one) => one.split(' of ')[0] ?? ''));
      const named = new Set(told.filter((one) => (byName ? names.has(one) : isPayment(one)))).size;
      const afterS = ((entries.at(-1)?.at.getTime() ?? Date.now()) - since.getTime()) / 1000;
      const isOver = Date.now() - since.getTime() > 1000 * (TOLD_WITHIN_S + 15);
      if (named >= lost.length || isOver) {
        await this.stage.pair.command(['integrity', '--accept-loss']);
        return { named, byName, afterS };
      }
      await sleep(1000);
    }
  }
}

export const isToldInTime = ({ lost, told }: RoundResult) =>
  lost === 0 || (told !== null && told.named >= lost && told.afterS <= TOLD_WITHIN_S);

const isPayment = (fact: string) => fact.startsWith('payment.recorded ');

function longestGap(
  acknowledged: readonly AcknowledgedPayment[],
  startMs: number,
  endMs: number,
): number {
  const times = acknowledged.map(({ atMs }) => atMs).filter((at) => at >= startMs && at <= endMs);
  let [longest, last] = [0, startMs];
  for (const at of [...times, endMs]) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return longest / 1000;
}
