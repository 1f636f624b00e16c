import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { Actor, By } from '../../kernel/actor.js';
import { Clock, dateIn, type IsoDate } from '../../kernel/clock.js';
import { assertDayHappened } from '../../kernel/fact-dates.js';
import type { Uuid } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inTime } from '../domain/cash-discount.js';
import { detailsToRepeat } from '../domain/document-details.js';
import type { Document } from '../domain/document.js';
import type { Acceptance } from '../domain/document-fact.js';
import { type DocumentView, documentView, NO_RELATIONS } from '../domain/document-view.js';
import { negatedTaxes, taxesLess, type TaxShare } from '../domain/calculation/tax-part.js';
import { type DraftRequest, requestOf } from '../domain/draft-request.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentWriter } from './document-writer.js';
import { type DocumentGuard, Documents } from './documents.service.js';
import { Drafts, issuedContent } from './drafts.service.js';
import { Issuing } from './issuing.service.js';

/** The fields that may differ in a document made from another one. */
export interface CopyRequest {
  issueDate: string | null;
  dueDate: string | null;
  paymentTermsDays?: number;
  issue: boolean;
}

type LoadedDocument = Awaited<ReturnType<Documents['load']>>;

/** Every step of an issued document, and the documents that are made from one. */
@Injectable()
export class DocumentSteps {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: DocumentRepository,
    private readonly documents: Documents,
    private readonly drafts: Drafts,
    private readonly issuing: Issuing,
    private readonly writer: DocumentWriter,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /**
   * A voided credit note gives back what it took.
   * @param how `despiteProcessing`: money that is on its way becomes an unmatched receipt
   */
  async void(
    by: By,
    id: Uuid,
    { reason, despiteProcessing }: { reason: string | null; despiteProcessing: boolean },
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    return this.step(by, id, expected, guard, (tx, { document, origin, content }) => {
      document.void(reason, despiteProcessing);
      const { state } = document;
      if (!origin || state.origin?.relation !== 'credit') return;
      origin.uncredit(state.total, state.amountApplied, state.id, state.issueDate);
      origin.taxRelief.credit(negatedTaxes(content.taxGroups));
      this.writer.save(tx, origin, by.actor);
    });
  }

  /** @param how with the day it counts for: today if it is null */
  async writeOff(
    by: By,
    id: Uuid,
    how: {
      reason: string | null;
      on: IsoDate | null;
      taxRelief: boolean;
      despiteProcessing: boolean;
    },
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const { reason, on, taxRelief, despiteProcessing } = how;
    const { timeZone } = await this.accounts.find(by.accountId);
    const decide = (_tx: Tx, loaded: LoadedDocument) => {
      const taxes = taxRelief ? taxesLeft(loaded) : null;
      loaded.document.writeOff(reason, { taxes, despiteProcessing });
      const { issueDate: day } = loaded.document.state;
      const earlier = day === null ? null : { day, name: 'the issue date' };
      if (on !== null) assertDayHappened('date', on, dateIn(timeZone, this.clock.now()), earlier);
    };
    return this.step(by, id, expected, guard, decide, on);
  }

  /**
   * Claims the tax back of what was written off, or let pass.
   * @param on the day it counts for: today if it is null
   */
  async claimTaxRelief(
    by: By,
    id: Uuid,
    on: IsoDate | null,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const { timeZone } = await this.accounts.find(by.accountId);
    const decide = (_tx: Tx, loaded: LoadedDocument) => {
      loaded.document.claimTaxRelief(taxesLeft(loaded));
      if (on !== null) assertClaimDate(on, loaded.document, timeZone, this.clock.now());
    };
    return this.step(by, id, expected, guard, decide, on);
  }

  async reverseWriteOff(
    by: By,
    id: Uuid,
    reason: string | null,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    return this.step(by, id, expected, guard, (_tx, { document }) =>
      document.reverseWriteOff(reason),
    );
  }

  /** The client's answer through the portal. */
  async reject(by: By, id: Uuid, reason: string): Promise<void> {
    await this.answer(by.actor, by.accountId, id, (document) => document.reject(reason));
  }

  /** The same for a quote. */
  async accept(by: By, id: Uuid, acceptance?: Acceptance): Promise<void> {
    await this.answer(by.actor, by.accountId, id, (document) => document.accept(acceptance));
  }

  /** A draft that will take the place of this document when it is issued. */
  async revise(
    by: By,
    id: Uuid,
    copy: CopyRequest,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    return this.copy(by, id, copy, expected, guard, (document, request) => {
      document.assertMay('revise');
      const { id: documentId, revision } = document.state;
      return {
        request: { ...request, externalId: null },
        source: { origin: { relation: 'revision', documentId }, revision: revision + 1 },
      };
    });
  }

  /** An invoice of what a quote offered. */
  async convert(
    by: By,
    id: Uuid,
    copy: CopyRequest,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    return this.copy(by, id, copy, expected, guard, (document, request) => {
      document.convert();
      const { id: documentId } = document.state;
      return {
        request: { ...request, kind: 'invoice', proforma: false, series: null, externalId: null },
        source: { origin: { relation: 'conversion', documentId }, revision: 1 },
      };
    });
  }

  /** A draft with the same content and the dates of its own. */
  async duplicate(
    by: By,
    id: Uuid,
    copy: CopyRequest,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    return this.copy(by, id, copy, expected, guard, (document, request) => {
      document.assertMay('duplicate');
      const { id: documentId, lifecycle } = document.state;
      // A draft may be deleted: nothing refers to it.
      const origin = lifecycle === 'draft' ? null : { relation: 'duplicate' as const, documentId };
      const details = detailsToRepeat(request.details);
      const lines = request.lines.map((line) => ({
        ...line,
        details: { ...line.details, service_period: null },
      }));
      const repeated = { ...request, details, lines, externalId: null };
      return { request: repeated, source: { origin, revision: 1 } };
    });
  }

  private async copy(
    by: By,
    id: Uuid,
    copy: CopyRequest,
    expected: ExpectedVersions,
    guard: DocumentGuard | undefined,
    decide: (
      document: Document,
      request: DraftRequest,
    ) => { request: DraftRequest; source: Parameters<Drafts['make']>[3] },
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    return this.uow.run(async (tx) => {
      const loaded = await this.documents.load(tx, by.accountId, id);
      const { document } = loaded;
      document.assertVersion(expected);
      const { issueDate, dueDate, paymentTermsDays } = copy;
      const dates = {
        issueDate,
        dueDate,
        ...(paymentTermsDays !== undefined && { paymentTermsDays }),
      };
      const asked = requestOf(document.state, loaded.content);
      const lines = asked.lines.map((line) => ({ ...line, id: null }));
      const { request, source } = decide(document, { ...asked, lines });
      // Terms of its own may end before a discount of the original does.
      const cashDiscounts =
        paymentTermsDays === undefined
          ? asked.cashDiscounts
          : inTime(asked.cashDiscounts ?? [], paymentTermsDays);
      const copied = { ...request, ...dates, cashDiscounts };
      const made = await this.drafts.make(tx, account, copied, source);
      if (copy.issue) await this.issuing.issue(tx, made, document, account);
      this.writer.save(tx, document, by.actor);
      const content = issuedContent(made);
      this.writer.insert(tx, made.document, content, by.actor);
      const number = document.state.number;
      return documentView(made.document, content, { ...NO_RELATIONS, origin: number });
    }, guard);
  }

  private async step(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard: DocumentGuard | undefined,
    decide: (tx: Tx, loaded: LoadedDocument) => void,
    effective: IsoDate | null = null,
  ): Promise<DocumentView> {
    return this.uow.run(async (tx) => {
      const loaded = await this.documents.load(tx, by.accountId, id);
      const { document, content, relations } = loaded;
      document.assertVersion(expected);
      decide(tx, loaded);
      this.writer.save(tx, document, by.actor, [], effective);
      return documentView(document, content, relations);
    }, guard);
  }

  private async answer(
    actor: Actor,
    accountId: Uuid,
    id: Uuid,
    decide: (document: Document) => void,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const document = await this.repository.getForUpdate(tx, accountId, id);
      decide(document);
      this.writer.save(tx, document, actor);
    });
  }
}

/** The taxes of an invoice that its credit notes left. */
function taxesLeft({ content, relations }: LoadedDocument): TaxShare[] {
  return taxesLess(content.taxGroups, relations.creditedTaxes);
}

function assertClaimDate(on: IsoDate, { state }: Document, timeZone: string, now: Date): void {
  // A shortfall was let pass when the document was settled.
  const lostAt = state.writtenOffAt ?? state.settledAt;
  const earlier = lostAt && { day: dateIn(timeZone, lostAt), name: 'the day of the loss' };
  assertDayHappened('date', on, dateIn(timeZone, now), earlier);
}
