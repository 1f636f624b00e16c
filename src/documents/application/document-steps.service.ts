import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { dateIn, type IsoDate } from '../../kernel/clock.js';
import { assertDayHappened } from '../../kernel/fact-dates.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { inTime } from '../domain/cash-discount.js';
import { detailsToCopy, detailsToRepeat } from '../domain/document-details.js';
import type { Document } from '../domain/document.js';
import type { Acceptance } from '../domain/document-fact.js';
import { type DocumentView, documentView, NO_RELATIONS } from '../domain/document-view.js';
import { negatedTaxes, taxesLess, type TaxShare } from '../domain/calculation/tax-part.js';
import {
  assertPrepaidAtIssue,
  type DraftRequest,
  lineToRepeat,
  requestOf,
} from '../domain/drafts/draft-request.js';
import type { Prepayment } from '../domain/prepayment.js';
import { Attachments } from './attachments.service.js';
import {
  type AskedStep,
  DocumentTransactions,
  type LockedDocument,
} from './document-transactions.js';
import { DocumentWriter } from './document-writer.js';
import { Drafts, type DraftSource } from './drafts.service.js';
import { Prepayments } from './prepayments.js';

/** The fields that may differ in a document made from another one. */
export interface CopyRequest {
  issueDate: string | null;
  dueDate: string | null;
  paymentTermsDays?: number;
  issue: boolean;
  prepayments: readonly Prepayment[];
}

/** Every step of an issued document, and the documents that are made from one. */
@Injectable()
export class DocumentSteps {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly drafts: Drafts,
    private readonly writer: DocumentWriter,
    private readonly accounts: Accounts,
    private readonly prepayments: Prepayments,
    private readonly attachments: Attachments,
  ) {}

  /**
   * A voided credit note gives back what it took.
   * @param how `despiteProcessing`: money that is on its way becomes an unmatched receipt
   */
  async void(
    asked: AskedStep,
    { reason, despiteProcessing }: { reason: string | null; despiteProcessing: boolean },
  ): Promise<DocumentView> {
    return this.step(asked, (tx, { document, origin, content }) => {
      document.void(reason, despiteProcessing);
      const { state } = document;
      if (!origin || state.origin?.relation !== 'credit') return;
      origin.uncredit(state.total, state.amountApplied, state.id, state.issueDate);
      origin.taxRelief.credit(negatedTaxes(content.taxGroups));
      this.writer.save(tx, origin, asked.by.actor);
    });
  }

  /** @param how with the day it counts for: today if it is null */
  async writeOff(
    asked: AskedStep,
    how: {
      reason: string | null;
      on: IsoDate | null;
      taxRelief: boolean;
      despiteProcessing: boolean;
    },
  ): Promise<DocumentView> {
    const { reason, on, taxRelief, despiteProcessing } = how;
    const today = await this.accounts.today(asked.by.accountId);
    const decide = (_tx: Tx, loaded: LockedDocument) => {
      const taxes = taxRelief ? taxesLeft(loaded) : null;
      loaded.document.writeOff(reason, { taxes, despiteProcessing });
      const { issueDate: day } = loaded.document.state;
      const earlier = day === null ? null : { day, name: 'the issue date' };
      if (on !== null) assertDayHappened('date', on, today, earlier);
    };
    return this.step(asked, decide, on);
  }

  /**
   * Claims the tax back of what was written off, or let pass.
   * @param on the day it counts for: today if it is null
   */
  async claimTaxRelief(asked: AskedStep, on: IsoDate | null): Promise<DocumentView> {
    const account = await this.accounts.find(asked.by.accountId);
    const today = this.accounts.todayOf(account);
    const decide = (_tx: Tx, loaded: LockedDocument) => {
      loaded.document.claimTaxRelief(taxesLeft(loaded));
      if (on !== null) assertClaimDate(on, loaded.document, account.timeZone, today);
    };
    return this.step(asked, decide, on);
  }

  async reverseWriteOff(asked: AskedStep, reason: string | null): Promise<DocumentView> {
    return this.step(asked, (_tx, { document }) => document.reverseWriteOff(reason));
  }

  /** The client's answer through the portal. */
  async reject(by: By, id: Uuid, reason: string): Promise<void> {
    await this.transactions.answer(by, id, (document) => document.reject(reason));
  }

  /** The same for a quote. */
  async accept(by: By, id: Uuid, acceptance?: Acceptance): Promise<void> {
    await this.transactions.answer(by, id, (document) => document.accept(acceptance));
  }

  /** A draft that will take the place of this document when it is issued. */
  async revise(asked: AskedStep, copy: CopyRequest): Promise<DocumentView> {
    return this.copy(asked, copy, (document, request) => {
      document.assertMay('revise');
      const { id: documentId, revision } = document.state;
      return {
        request: { ...request, externalId: null },
        source: { origin: { relation: 'revision', documentId }, revision: revision + 1 },
      };
    });
  }

  /** An invoice of what a quote offered. */
  async convert(asked: AskedStep, copy: CopyRequest): Promise<DocumentView> {
    return this.copy(asked, copy, (document, request) => {
      document.convert();
      const { id: documentId } = document.state;
      return {
        request: { ...request, kind: 'invoice', proforma: false, series: null, externalId: null },
        source: { origin: { relation: 'conversion', documentId }, revision: 1 },
      };
    });
  }

  /** A draft with the same content and the dates of its own. */
  async duplicate(asked: AskedStep, copy: CopyRequest): Promise<DocumentView> {
    return this.copy(asked, copy, (document, request) => {
      document.assertMay('duplicate');
      const { id: documentId, lifecycle } = document.state;
      // A draft may be deleted: nothing refers to it.
      const origin = lifecycle === 'draft' ? null : { relation: 'duplicate' as const, documentId };
      const details = detailsToRepeat(request.details);
      const lines = request.lines.map(lineToRepeat);
      const repeated = { ...request, details, lines, externalId: null };
      return { request: repeated, source: { origin, revision: 1 } };
    });
  }

  private async copy(
    asked: AskedStep,
    copy: CopyRequest,
    decide: (
      document: Document,
      request: DraftRequest,
    ) => { request: DraftRequest; source: Pick<DraftSource, 'origin' | 'revision'> },
  ): Promise<DocumentView> {
    assertPrepaidAtIssue(copy);
    const { accountId, actor } = asked.by;
    const account = await this.accounts.find(accountId);
    return this.transactions.step(asked, async (tx, { document, content: original }) => {
      const old = requestOf(document.state, original);
      const lines = old.lines.map((line) => ({ ...line, id: null }));
      const { request, source } = decide(document, { ...old, lines });
      // Terms of its own may end before a discount of the original does.
      const cashDiscounts =
        copy.paymentTermsDays === undefined
          ? old.cashDiscounts
          : inTime(old.cashDiscounts ?? [], copy.paymentTermsDays);
      const details = detailsToCopy(request.details);
      const copied = { ...request, ...copy, cashDiscounts, details };
      const of = { ...source, of: document };
      const made = await this.drafts.make(tx, { account, actor }, copied, of);
      const content = this.attachments.copied(tx, document, made.document, made.content);
      this.writer.save(tx, document, actor);
      this.writer.insert(tx, made.document, content, actor);
      await this.prepayments.record(tx, made.document, copy.prepayments, asked.by);
      const relations = { ...NO_RELATIONS, origin: document.state.number };
      return documentView(made.document, content, relations);
    });
  }

  private async step(
    asked: AskedStep,
    decide: (tx: Tx, locked: LockedDocument) => void,
    effective: IsoDate | null = null,
  ): Promise<DocumentView> {
    return this.transactions.step(asked, async (tx, locked) => {
      const { document, content, relations } = locked;
      decide(tx, locked);
      this.writer.save(tx, document, asked.by.actor, [], effective);
      return documentView(document, content, relations);
    });
  }
}

/** The taxes of an invoice that its credit notes left. */
function taxesLeft({ content, relations }: LockedDocument): TaxShare[] {
  return taxesLess(content.taxGroups, relations.creditedTaxes);
}

function assertClaimDate(on: IsoDate, { state }: Document, timeZone: string, today: IsoDate): void {
  // A shortfall was let pass when the document was settled.
  const lostAt = state.writtenOffAt ?? state.settledAt;
  const earlier = lostAt && { day: dateIn(timeZone, lostAt), name: 'the day of the loss' };
  assertDayHappened('date', on, today, earlier);
}
