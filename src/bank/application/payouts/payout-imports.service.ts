import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Gateways, payableAccount } from '../../../payments/index.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Payout } from '../../domain/payouts/payout.js';
import {
  assertReportOf,
  type PayoutReport,
  type PayoutReportFile,
  PayoutReportReader,
  type ReportedPayout,
} from '../../domain/payouts/payout-report.js';
import { type LineCounts, PayoutsQuery } from '../../infrastructure/payouts.query.js';
import { type ByPayoutClient, Payouts } from './payouts.service.js';

/** A payout of a file, and what became of it. One that is refused is not recorded. */
export interface ImportedPayout {
  reported: ReportedPayout;
  status: 'created' | 'known' | 'refused';
  payout: Payout | null;
  lines: LineCounts;
  refusal: ReportedPayout['refusal'];
}

export interface PayoutImport {
  report: PayoutReport;
  payouts: readonly ImportedPayout[];
}

type Outcome = Omit<ImportedPayout, 'reported' | 'lines'>;
const NO_LINES: LineCounts = { all: 0, unknown: 0 };

/**
 * Imports a provider's report of payouts. Each becomes one in a transaction of its own, so that one
 * that is refused hides no other. If an import breaks off, the same file goes on where it was.
 */
@Injectable()
export class PayoutImports {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: PayoutReportReader,
    private readonly payouts: Payouts,
    private readonly gateways: Gateways,
    private readonly query: PayoutsQuery,
  ) {}

  async import(
    by: ByPayoutClient,
    gateway: string,
    file: PayoutReportFile,
    guard?: CommitGuard<PayoutImport>,
  ): Promise<PayoutImport> {
    const { accountId } = by;
    const report = await this.reader.readPayouts(accountId, file);
    await this.uow.run(
      async (tx) => {
        const wish = await payableAccount(tx, accountId);
        assertReportOf(report, await this.gateways.getFor(gateway, wish));
      },
      // A key that was answered before is seen here; what is answered now is kept at the end.
      guard && { lookup: guard.lookup, onFound: guard.onFound },
    );
    const outcomes: Outcome[] = [];
    for (const one of report.payouts) outcomes.push(await this.record(by, gateway, one));
    const payouts = await this.withCounts(accountId, report, outcomes);
    return this.uow.run(async () => ({ report, payouts }), guard);
  }

  private async record(
    by: ByPayoutClient,
    gateway: string,
    { told, refusal }: ReportedPayout,
  ): Promise<Outcome> {
    if (!told) return { status: 'refused', payout: null, refusal };
    try {
      const { payout, isNew } = await this.payouts.recordOnce(by, { ...told, gateway });
      return { status: isNew ? 'created' : 'known', payout, refusal: null };
    } catch (error) {
      // The file is to be sent again: nothing is wrong with this payout.
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      const { code, detail } = error;
      return { status: 'refused', payout: null, refusal: { code, detail } };
    }
  }

  private async withCounts(
    accountId: Uuid,
    report: PayoutReport,
    outcomes: readonly Outcome[],
  ): Promise<ImportedPayout[]> {
    const ids = outcomes.flatMap(({ payout }) => payout?.id ?? []);
    const counts = await this.query.lineCounts(accountId, ids);
    return report.payouts.flatMap((reported, index) => {
      const outcome = outcomes[index];
      if (!outcome) return [];
      const lines = (outcome.payout && counts.get(outcome.payout.id)) ?? NO_LINES;
      return [{ ...outcome, reported, lines }];
    });
  }
}
