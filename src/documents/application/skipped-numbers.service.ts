import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import { byTime } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import { skippedTo } from '../domain/numbering/number-series.js';
import {
  type CountedSequence,
  type GivenNumber,
  LostNumbersQuery,
} from '../infrastructure/lost-numbers.query.js';
import { NumberSeriesRepository } from '../infrastructure/number-series.repository.js';
import { GivenNumbers } from './given-numbers.js';

/** Numbers whose documents the database lost, and their fate. */
export interface LostNumbers {
  /** `invoice 2026 111 to 120 of acc_...`, which nobody gets any more. */
  skipped: string[];
  /** `web 2026 12 of acc_...`: its series is lost as well, and no count can go on behind it. */
  unknown: string[];
  /** `INV-00111 of doc_..., and of doc_...` */
  doubled: string[];
}

/**
 * A count goes on behind the numbers that were given, also where the database lost their documents: who
 * has one of those never meets its number on another. The audit of the series tells what was skipped.
 */
@Injectable()
export class SkippedNumbers {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: NumberSeriesRepository,
    private readonly query: LostNumbersQuery,
    private readonly given: GivenNumbers,
  ) {}

  /** @param kept numbers that were given, as a place outside of the database has them */
  async skipLost(kept: readonly CountedSequence[]): Promise<LostNumbers> {
    const ours = this.given.last();
    const behind = await this.query.behind([...ours, ...kept]);
    const skipped: string[] = [];
    const unknown: string[] = [];
    for (const one of behind) {
      const from = await this.skip(one);
      if (from === undefined) unknown.push(nameOf(one, String(one.sequence)));
      else if (from !== null) skipped.push(nameOf(one, `${from} to ${one.sequence}`));
    }
    return { skipped, unknown, doubled: await this.doubled(ours) };
  }

  /** @returns the first that was skipped; null: none was; undefined: there is no such series */
  private async skip(given: CountedSequence): Promise<bigint | null | undefined> {
    const { accountId, series: name, period, sequence } = given;
    return this.audited.run(byTime(accountId), undefined, async ({ tx, record }) => {
      const all = await this.repository.getAllForUpdate(tx, accountId);
      const series = all.find((one) => one.series === name);
      if (!series) return undefined;
      const counters = await this.repository.counters(tx, accountId, name);
      const skip = skippedTo(series, counters.get(period), sequence);
      if (!skip) return null;
      const { from, counter } = skip;
      const after = { period, from: Number(from), to: Number(sequence) };
      record({ action: 'numbering.skipped', subject: name, before: null, after });
      // The database lets no count have a gap that the audit log does not tell.
      await tx.flush();
      this.repository.setCounter(tx, accountId, name, period, counter);
      return from;
    });
  }

  /** Told once. */
  private async doubled(ours: readonly GivenNumber[]): Promise<string[]> {
    const again = await this.query.givenAgain(ours);
    this.given.forget(new Set(again.map(({ documentId }) => documentId)));
    return again.map(
      ({ number, documentId, other }) =>
        `${number} of ${publicId('doc', documentId)}, and of ${publicId('doc', other)}`,
    );
  }
}

function nameOf({ accountId, series, period }: CountedSequence, what: string): string {
  return `${[series, ...(period ? [period] : []), what].join(' ')} of ${publicId('acc', accountId)}`;
}
