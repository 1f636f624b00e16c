import type { DocumentAction } from '../../src/documents/domain/available-actions.js';
import { Document } from '../../src/documents/domain/document.js';
import type { DocumentState, DraftTerms } from '../../src/documents/domain/document-state.js';
import type { Lifecycle } from '../../src/documents/domain/lifecycle.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';

export const NOW = new Date('2026-11-20T12:00:00Z');
export const TODAY = '2026-11-20';
export const LATER = new Date('2026-12-05T00:00:00Z');
export const EARLIER = new Date('2026-11-01T00:00:00Z');

/** Of a credit note that an invoice is told of. */
export const CREDIT_NOTE_ID = '01930000-0000-7000-8000-00000000000c';

export const eur = (minor: bigint) => Money.of(minor, 'EUR');

/** An open invoice over 100.00 with nothing paid, issued today, due in 14 days. */
export function aState(over: Partial<DocumentState> = {}): DocumentState {
  const lifecycle: Lifecycle = over.lifecycle ?? 'open';
  const issued = lifecycle !== 'draft';
  const at = (condition: boolean) => (condition ? EARLIER : null);
  return {
    accountId: 'account',
    id: 'document',
    kind: 'invoice',
    proforma: false,
    lifecycle,
    series: null,
    number: issued ? 'INV-00001' : null,
    numbered: issued ? { period: '', sequence: 1n } : null,
    numberBefore: null,
    externalId: null,
    currency: 'EUR',
    customerId: 'customer',
    issueDate: issued ? TODAY : null,
    dueDate: issued ? '2026-12-04' : null,
    paymentTermsDays: 14,
    collectionMethod: null,
    cashDiscounts: [],
    lapsesAt: issued ? LATER : null,
    netTotal: eur(10_000n),
    taxTotal: eur(0n),
    rounding: eur(0n),
    total: eur(10_000n),
    amountPaid: eur(0n),
    amountPrepaid: eur(0n),
    amountRefunded: eur(0n),
    amountUndecided: eur(0n),
    amountWaived: eur(0n),
    amountDisputed: eur(0n),
    amountProcessing: eur(0n),
    amountCredited: eur(0n),
    creditNotesTotal: eur(0n),
    amountApplied: eur(0n),
    amountMoved: eur(0n),
    taxRelief: null,
    origin: null,
    revision: 1,
    acceptedAt: at(lifecycle === 'accepted'),
    acceptedBy: null,
    rejection: lifecycle === 'rejected' ? { reason: 'No', at: EARLIER, version: 2 } : null,
    convertedAt: at(lifecycle === 'converted'),
    writtenOffAt: at(lifecycle === 'uncollectible'),
    settledAt: null,
    version: 7,
    eventSequence: 3,
    createdAt: EARLIER,
    updatedAt: EARLIER,
    issuedAt: at(issued),
    voidedAt: at(lifecycle === 'void'),
    ...over,
  };
}

export function aDocument(over: Partial<DocumentState> = {}): Document {
  return new Document(aState(over), NOW);
}

/** The names of what happened since the last look. */
export const typesOf = (document: Document) => document.takeFacts().map(({ type }) => type);

/** The terms of a draft, as they are. */
export function termsOf(document: Document): DraftTerms {
  const { proforma, series, externalId, currency, customerId, issueDate, dueDate } = document.state;
  const { paymentTermsDays, collectionMethod, cashDiscounts, netTotal, taxTotal, rounding, total } =
    document.state;
  return {
    proforma,
    series,
    externalId,
    currency,
    customerId,
    issueDate,
    dueDate,
    paymentTermsDays,
    collectionMethod,
    cashDiscounts,
    netTotal,
    taxTotal,
    rounding,
    total,
  };
}

/** Each action in the domain: the step itself, or the question before a copy is made. */
export const STEPS: Record<DocumentAction, (document: Document) => unknown> = {
  edit: (document) => document.edit(termsOf(document), []),
  delete: (document) => document.discard(),
  issue: (document) =>
    document.issue(
      {
        number: 'INV-00002',
        series: 'invoice',
        numbered: { period: '2026', sequence: 2n },
        numberBefore: null,
      },
      { issueDate: TODAY, terms: 30, timeZone: 'UTC' },
    ),
  accept: (document) => document.accept(),
  reject: (document) => document.reject('Too late'),
  pay: (document) => document.recordPayment(eur(100n), 'credit'),
  credit: (document) => document.credit(document.amountCreditable.min(eur(100n)), CREDIT_NOTE_ID),
  write_off: (document) => document.writeOff('Insolvent'),
  reverse_write_off: (document) => document.reverseWriteOff('A dividend'),
  claim_tax_relief: (document) => document.claimTaxRelief([]),
  void: (document) => document.void(),
  convert: (document) => document.convert(),
  revise: (document) => document.assertMay('revise'),
  duplicate: (document) => document.assertMay('duplicate'),
};

/** The refusal of a step; null where it is taken. A bug of ours is neither. */
export function refusedBy(step: () => unknown): DomainError | null {
  try {
    step();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
