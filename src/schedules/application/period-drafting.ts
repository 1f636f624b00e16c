import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import {
  type CreateDocumentRequest,
  Customers,
  DocumentRefusal,
  Documents,
  toNewDocument,
} from '../../documents/index.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Schedule, ScheduleTerms } from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';
import type { UsageSums } from '../domain/usage.js';
import type { ComingDocument } from '../wire/period.js';
import { documentOf, type FirstState, hasPlaceholders, toppedUp } from '../wire/period-document.js';

/** A schedule, as far as a document follows from it. */
export type ScheduledDraft = Pick<Schedule, 'terms' | 'customerId'>;

/** Writes the document that a period asks for. */
@Injectable()
export class PeriodDrafting {
  constructor(
    private readonly customers: Customers,
    private readonly documents: Documents,
  ) {}

  /**
   * @returns undefined where nothing was used
   * @throws DomainError as `Documents.create`, where figures are needed to write it
   */
  async requestOf(
    tx: Tx | null,
    account: AccountRow,
    { terms, customerId }: ScheduledDraft,
    period: PlannedPeriod,
    usage: UsageSums,
    first: FirstState,
  ): Promise<CreateDocumentRequest | undefined> {
    const language = hasPlaceholders(terms)
      ? await this.languageOf(tx, account, terms, customerId)
      : null;
    const facts = { period, usage, language };
    const request = documentOf(terms, facts, first);
    if (!terms.minimum) return request.lines.length > 0 ? request : undefined;
    const sum = request.lines.length > 0 ? await this.sumOf(tx, account, request) : 0n;
    const whole = toppedUp(request, terms, facts, sum);
    return whole.lines.length > 0 ? whole : undefined;
  }

  /** @throws DomainError `unknown_customer`, `customer_archived` */
  async assertBillable(
    tx: Tx | null,
    account: AccountRow,
    { customerId }: ScheduledDraft,
  ): Promise<void> {
    const { archivedAt, erasedAt } = await this.customerOf(tx, account, customerId);
    if (erasedAt) throw DocumentRefusal.customer_erased.of();
    if (archivedAt) throw DocumentRefusal.customer_archived.at('/customer_id');
  }

  /** The document as it would be. */
  async preview(
    tx: Tx | null,
    account: AccountRow,
    request: CreateDocumentRequest,
  ): Promise<ComingDocument> {
    const asked = toNewDocument(request);
    const { view, paymentTermsDays } = await this.documents.previewOf(account, asked, tx);
    return { view, termsDays: paymentTermsDays ?? account.paymentTermsDays };
  }

  private async sumOf(
    tx: Tx | null,
    account: AccountRow,
    request: CreateDocumentRequest,
  ): Promise<bigint> {
    const { lines } = (await this.preview(tx, account, request)).view;
    return lines.reduce((sum, { amount }) => sum + amount.minor, 0n);
  }

  private async languageOf(
    tx: Tx | null,
    account: AccountRow,
    { document }: ScheduleTerms,
    customerId: Schedule['customerId'],
  ): Promise<string | null> {
    if (document.language != null) return document.language;
    const { profile } = await this.customerOf(tx, account, customerId);
    return profile.language ?? account.language;
  }

  private async customerOf(tx: Tx | null, { accountId }: AccountRow, id: Schedule['customerId']) {
    try {
      return await this.customers.find(accountId, id, tx);
    } catch (error) {
      if (!DocumentRefusal.customer_not_found.is(error)) throw error;
      throw DocumentRefusal.unknown_customer.at('/customer_id');
    }
  }
}
