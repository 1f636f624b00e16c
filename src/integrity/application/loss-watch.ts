import { Injectable } from '@nestjs/common';
import { type CommittedFact, CommittedFacts, EventsQuery } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { sealName } from '../domain/loss.js';
import { LossesRepository } from '../infrastructure/losses.repository.js';

const LOOK_MS = 5000;
/** After another server took over, every process has looked by then. */
const SETTLE_MS = 3 * LOOK_MS;
/** In one entry of the audit log; more are the next entry's. */
const NAMED = 1000;
const LOGGED = 20;

/**
 * Notices that the database lacks what this process was told is stored, or what the file of heads has:
 * a standby that took over too early, or an older copy. Nothing is sealed over a loss until somebody
 * has accepted it.
 */
@Injectable()
export class LossWatch {
  /** Undefined until the first look. */
  private timeline: number | null | undefined;
  private movedAt = -Infinity;
  private looking?: Promise<void> | undefined;

  constructor(
    private readonly facts: CommittedFacts,
    private readonly events: EventsQuery,
    private readonly losses: LossesRepository,
    private readonly config: Config,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    const failure = 'the look for lost facts failed; the next round looks again';
    const look = () => this.look();
    jobs.every(LOOK_MS, failure, look, { name: 'losses', inEachProcess: true, atStop: 'leave' });
  }

  /** Asked before each seal. */
  async isHeld(): Promise<boolean> {
    await this.look();
    if (performance.now() - this.movedAt < SETTLE_MS) return true;
    return (await this.losses.open()).length > 0;
  }

  /** A loss takes what was written last, so that one look for the newest fact stands for all. */
  async look(): Promise<void> {
    this.looking ??= this.compare().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async compare(): Promise<void> {
    const { isStandby, timeline, hasFact } = await this.losses.standing(this.facts.newest);
    // A standby lags, and takes nothing.
    if (isStandby || (timeline === this.timeline && hasFact)) return;
    const hasMoved = this.timeline !== undefined && timeline !== this.timeline;
    if (hasMoved) this.movedAt = performance.now();
    const facts = this.facts.last();
    const ids = await this.events.missing(facts);
    const missing = facts.filter(({ eventId }) => ids.has(eventId));
    const heads = await this.missingHeads();
    if (missing.length + heads.length > 0) {
      const [names, seals] = [missing.map(nameOf), heads.map(sealName)];
      await this.tell(names, seals);
      this.facts.forget(ids);
      const logged = { facts: names.slice(0, LOGGED), seals: seals.slice(0, LOGGED) };
      this.log.error(
        { timeline, lost: missing.length, ...logged },
        'the database has lost what it had; nothing is sealed until the loss is accepted',
      );
    } else if (hasMoved) {
      this.log.info(
        { timeline, facts: facts.length },
        'another server took over, and lacks nothing',
      );
    }
    this.timeline = timeline;
  }

  /** Each by its name: whoever sends lost payments again has no other list of them. */
  private async tell(names: readonly string[], seals: readonly string[]): Promise<void> {
    for (let from = 0; from < Math.max(names.length, seals.length); from += NAMED) {
      const facts = names.slice(from, from + NAMED);
      const ofSeals = seals.slice(from, from + NAMED);
      await this.losses.tell({ count: facts.length, facts, seals: ofSeals });
    }
  }

  /** Told once, by a process that seals. */
  private async missingHeads(): Promise<KeptSeal[]> {
    const { sealHeadsFile, doesJobs } = this.config;
    if (sealHeadsFile === null || !doesJobs) return [];
    if ((await this.losses.open()).length > 0) return [];
    return this.losses.lostOfLast(sealHeadsFile);
  }
}

function nameOf({ type, eventId, documentId, number }: CommittedFact): string {
  const of = number ?? (documentId && publicId('doc', documentId));
  return `${type} ${publicId('evt', eventId)}${of ? ` of ${of}` : ''}`;
}
