import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SkippedNumbers } from '../../documents/index.js';
import { type CommittedFact, CommittedFacts } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import { LOOK_MS, Succession } from '../../platform/database/servers/succession.js';
import { Config } from '../../platform/config/config.js';
import { Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import type { KeptNumber, KeptSeal } from '../domain/kept-seal.js';
import { sealName } from '../domain/loss.js';
import { LossesRepository } from '../infrastructure/losses.repository.js';

/** In one entry of the audit log; more are the next entry's. */
const NAMED = 1000;
const LOGGED = 20;
const FAILED = 'the look for lost facts failed; the next round looks again';

/**
 * Notices that the database lacks what this process was told is stored, or what the file of heads has:
 * a standby that took over too early, or an older copy. Nothing is sealed over a loss until somebody
 * has accepted it.
 */
@Injectable()
export class LossWatch implements OnApplicationBootstrap {
  private looking?: Promise<void> | undefined;

  constructor(
    private readonly facts: CommittedFacts,
    private readonly losses: LossesRepository,
    private readonly numbers: SkippedNumbers,
    private readonly succession: Succession,
    private readonly config: Config,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    const look = () => this.look();
    jobs.every(LOOK_MS, FAILED, look, { name: 'losses', inEachProcess: true, atStop: 'leave' });
  }

  /** No number is given before. A look that fails is made again. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.readOnly) return;
    await this.look().catch((error: unknown) => this.log.warn({ error }, FAILED));
  }

  /** Asked before each seal. */
  async isHeld(): Promise<boolean> {
    await this.look();
    if (!this.succession.hasSettled()) return true;
    return (await this.losses.open()).length > 0;
  }

  /** A loss takes what was written last, so that one look for the newest fact stands for all. */
  async look(): Promise<void> {
    this.looking ??= this.compare().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async compare(): Promise<void> {
    const { isStandby, timeline, hasFact } = await this.losses.standing(this.facts.newest);
    const { timeline: before } = this.succession;
    // A standby lags, and takes nothing.
    if (isStandby || (timeline === before && hasFact)) return;
    const kept = await this.losses.lastKept();
    const doubled = await this.skipLostNumbers(kept.numbers);
    const missing = await this.facts.lost();
    const heads = await this.missingHeads(kept.heads);
    if (missing.length + heads.length + doubled.length > 0) {
      const [names, seals] = [[...missing.map(nameOf), ...doubled], heads.map(sealName)];
      await this.tell(names, seals);
      this.facts.forget(missing);
      const logged = { facts: names.slice(0, LOGGED), seals: seals.slice(0, LOGGED) };
      this.log.error(
        { timeline, lost: missing.length, ...logged },
        'the database has lost what it had; nothing is sealed until the loss is accepted',
      );
    } else if (before !== undefined && timeline !== before) {
      this.log.info(
        { timeline, facts: this.facts.last().length },
        'another server took over, and lacks nothing',
      );
    }
    this.succession.looked(timeline);
  }

  /** First of all: nobody is given one of them meanwhile. @returns those that somebody was */
  private async skipLostNumbers(kept: readonly KeptNumber[]): Promise<string[]> {
    const { skipped, unknown, doubled } = await this.numbers.skipLost(kept);
    if (skipped.length > 0)
      this.log.warn({ numbers: skipped }, 'numbers of lost documents are skipped');
    if (unknown.length > 0)
      this.log.warn({ numbers: unknown }, 'a series is lost, and one of its name gives them again');
    return doubled;
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
  private async missingHeads(kept: readonly KeptSeal[]): Promise<KeptSeal[]> {
    if (kept.length === 0 || !this.config.doesJobs) return [];
    if ((await this.losses.open()).length > 0) return [];
    return this.losses.lostAmong(kept);
  }
}

function nameOf({ type, eventId, documentId, number }: CommittedFact): string {
  const of = number ?? (documentId && publicId('doc', documentId));
  return `${type} ${publicId('evt', eventId)}${of ? ` of ${of}` : ''}`;
}
