import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import {
  currency,
  minorUnits,
  publicIdOf,
  count,
} from '../../platform/http/validation/answer-fields.js';
import { ORIGIN_RELATIONS } from '../domain/document-state.js';
import { DOCUMENT_REFUND_STATUSES } from '../domain/refunded-money.js';
import { DOCUMENT_KINDS, DOCUMENT_STATUSES } from '../domain/lifecycle.js';

const documentId = publicIdOf('doc');
const status = z.enum(DOCUMENT_STATUSES).meta({ id: 'Status' });

/** The data of an event about a document: enough to act on, nothing that may be looked up. */
const snapshot = z
  .object({
    id: documentId,
    kind: z.enum(DOCUMENT_KINDS),
    number: z.string().nullable(),
    status,
    currency,
    customer_id: publicIdOf('cus'),
    total: minorUnits,
    amount_paid: minorUnits,
    amount_due: minorUnits,
    version: count,
    amount_refunded: minorUnits.optional(),
    refund_status: z
      .enum(DOCUMENT_REFUND_STATUSES)
      .optional()
      .describe('How much of what was paid went back, if anything did.'),
    amount_undecided: minorUnits
      .optional()
      .describe('The refunded part of the amount due that nobody is asked for yet.'),
    amount_waived: minorUnits.optional(),
    amount_processing: minorUnits
      .optional()
      .describe('The amount that providers have on its way; it is not paid yet.'),
    amount_credited: minorUnits.optional(),
    amount_creditable: minorUnits
      .optional()
      .describe('Of an invoice with credit notes: the amount that more of them may take.'),
    amount_applied: minorUnits
      .optional()
      .describe('Of a credit note: the amount that reduced its invoice.'),
    customer_credit: minorUnits
      .optional()
      .describe('Of a credit note: the amount that it left over.'),
    origin: z.object({ relation: z.enum(ORIGIN_RELATIONS), id: documentId }).optional(),
    rejection_reason: z.string().optional(),
  })
  .meta({
    id: 'Document',
    description: 'A document at that moment; sums that are 0 are left out.',
    example: {
      id: 'doc_01h455vb4pex5vsknk084sn02q',
      kind: 'invoice',
      number: 'INV-2026-0001',
      status: 'open',
      currency: 'EUR',
      customer_id: 'cus_01h455vb4pex5vsknk084sn02q',
      total: 11900,
      amount_paid: 0,
      amount_due: 11900,
      version: 2,
    },
  });
export type DocumentSnapshot = z.infer<typeof snapshot>;

/** The place of an event in the history of a document, which shows it. */
export const inHistory = {
  document: snapshot,
  previous_status: status.nullable().describe('Null for what is new.'),
};

const step = z.object(inHistory).meta({ id: 'Step' });

const dated = step
  .extend({ due_date: z.iso.date().describe('In the time zone of the account.') })
  .meta({ id: 'DueDate' });

const updated = step
  .extend({
    changes: z.array(
      z.object({
        field: z.string().describe('JSON pointer.'),
        from: z.string().nullable(),
        to: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Update' });

const totalParts = step.extend({
  issue_date: z.iso.date().nullable(),
  figures: z
    .object({ net_total: minorUnits, tax_total: minorUnits, rounding: minorUnits })
    .describe('The parts of the total.'),
});
const voided = totalParts
  .extend({ reason: z.string().nullable().optional().describe('Why, if somebody said so.') })
  .meta({ id: 'Void' });

const warning = z.object({
  code: z.literal('date_before_last_issued'),
  message: z.string(),
  pointer: z.string(),
  last_issued: z.object({ id: documentId, number: z.string(), issue_date: z.iso.date() }),
});
const issued = totalParts.extend({ warnings: z.array(warning).optional() }).meta({ id: 'Issue' });

const credited = step
  .extend({
    credit_note_id: documentId,
    amount: minorUnits.describe('The amount that came off the amount due, or came back.'),
    amount_waived: minorUnits.describe('The waived shortfall that went with it.'),
    issue_date: z.iso.date().nullable(),
  })
  .meta({ id: 'Credit' });

const creditMoved = step
  .extend({
    document_id: documentId.describe('The invoice.'),
    amount: minorUnits.describe('The amount that went onto the invoice; below zero: came off.'),
  })
  .meta({ id: 'CreditMove' });

const reversedWriteOff = step
  .extend({ reason: z.string().nullable() })
  .meta({ id: 'WriteOffReversal' });
const writtenOff = reversedWriteOff
  .extend({ tax_relief: z.boolean().describe('Whether the tax of the loss is claimed back.') })
  .meta({ id: 'WriteOff' });

const accepted = step
  .extend({
    by: z.string().optional().describe('The name that the client gave.'),
    statement: z.string().optional().describe('The sentence that the client confirmed.'),
  })
  .meta({ id: 'Acceptance' });

/** The parts of an example that differ from an open invoice. */
function was(previous_status: string | null, document: object, data: object = {}): object {
  return { document, previous_status, ...data };
}

const DRAFT = { number: null, status: 'draft', version: 1 };
const PAID = { status: 'paid', amount_paid: 11900, amount_due: 0, version: 3 };
const QUOTE = { kind: 'quote', number: 'Q-2026-0001', amount_due: 0, version: 3 };
const NOTE = { kind: 'credit_note', number: 'CN-2026-0001', amount_due: 0 };
const ISSUED = {
  issue_date: '2026-11-27',
  figures: { net_total: 10000, tax_total: 1900, rounding: 0 },
};
const LESS = { amount: 11900, amount_waived: 0, issue_date: '2026-11-27' };
const EDIT = { changes: [{ field: '/purchase_order', from: null, to: 'PO-4711' }] };

/** The events about documents. */
export const DOCUMENT_EVENTS = {
  'document.created': {
    when: 'A draft of an invoice or a quote was made.',
    data: step,
    example: was(null, DRAFT),
  },
  'document.updated': {
    when: 'A draft was edited, or metadata was.',
    data: updated,
    example: was('draft', { ...DRAFT, version: 2 }, EDIT),
  },
  'document.deleted': {
    when: 'A draft was deleted.',
    data: step,
    example: was('draft', DRAFT),
  },
  'document.issued': {
    when: 'An invoice or a quote got its number and is open.',
    data: issued,
    example: was('draft', {}, ISSUED),
  },
  'document.viewed': {
    when: 'A person opened a page of it for the first time.',
    data: step,
    example: was('open', {}),
  },
  'document.accepted': {
    when: 'The client accepted a quote.',
    data: accepted,
    example: was('open', { ...QUOTE, status: 'accepted' }, { by: 'Ada Example' }),
  },
  'document.rejected': {
    when: 'The client declined an invoice or a quote.',
    data: step,
    example: was('open', {
      status: 'rejected',
      version: 3,
      rejection_reason: 'Not what we asked for',
    }),
  },
  'document.converted': {
    when: 'An invoice was made of a quote.',
    data: step,
    example: was('accepted', { ...QUOTE, status: 'converted' }),
  },
  'document.conversion_undone': {
    when: 'The draft made of a quote was deleted.',
    data: step,
    example: was('converted', { ...QUOTE, status: 'accepted' }),
  },
  'document.partially_paid': {
    when: 'Money came in, and something is still due.',
    data: step,
    example: was('open', {
      status: 'partially_paid',
      amount_paid: 5000,
      amount_due: 6900,
      version: 3,
    }),
  },
  'document.paid': {
    when: 'Money came in, and nothing is due any more.',
    data: step,
    example: was('open', PAID),
  },
  'document.overpaid': {
    when: 'More than was due came in; the rest is credit.',
    data: step,
    example: was('open', PAID),
  },
  'document.reopened': {
    when: 'A paid amount is due again.',
    data: step,
    example: was('paid', { version: 4 }),
  },
  'document.credited': {
    when: 'A credit note was issued for an invoice.',
    data: credited,
    example: was('open', { status: 'paid', amount_due: 0, version: 3 }, LESS),
  },
  'document.credit_reversed': {
    when: 'A credit note of an invoice was voided.',
    data: credited,
    example: was('paid', { version: 4 }, LESS),
  },
  'document.written_off': {
    when: 'The amount due was written off.',
    data: writtenOff,
    example: was('open', { status: 'uncollectible', version: 3 }, { tax_relief: true }),
  },
  'document.write_off_reversed': {
    when: 'What was written off is asked for again.',
    data: reversedWriteOff,
    example: was('uncollectible', { version: 4 }),
  },
  'document.tax_relief_claimed': {
    when: 'The tax of what was let go is claimed back, later than at the write-off.',
    data: step,
    example: was('uncollectible', { status: 'uncollectible', version: 3 }),
  },
  'document.due_soon': {
    when: 'Three days are left to pay an invoice that was issued before.',
    data: dated,
    example: was('open', {}, { due_date: '2026-11-30' }),
  },
  'document.overdue': {
    when: 'The due date of an invoice is over, and something is asked for.',
    data: dated,
    example: was('open', {}, { due_date: '2026-11-26' }),
  },
  'document.expired': {
    when: 'A quote stood until then, and nobody answered.',
    data: dated,
    example: was('open', { ...QUOTE, status: 'expired', version: 2 }, { due_date: '2026-11-26' }),
  },
  'document.voided': {
    when: 'An invoice or a quote was withdrawn.',
    data: voided,
    example: was('open', { status: 'void', version: 3 }, ISSUED),
  },
  'credit_note.created': {
    when: 'A draft of a credit note was made.',
    data: step,
    example: was(null, { ...NOTE, ...DRAFT }),
  },
  'credit_note.updated': {
    when: 'A draft was edited, or metadata was.',
    data: updated,
    example: was('draft', { ...NOTE, ...DRAFT, version: 2 }, EDIT),
  },
  'credit_note.deleted': {
    when: 'A draft of a credit note was deleted.',
    data: step,
    example: was('draft', { ...NOTE, ...DRAFT }),
  },
  'credit_note.issued': {
    when: 'A credit note got its number.',
    data: issued,
    example: was('draft', { ...NOTE, status: 'applied', version: 2 }, ISSUED),
  },
  'credit_note.moved': {
    when: 'Credit of a note went onto its invoice, as money of that went back, or came off again.',
    data: creditMoved,
    example: was('applied', { ...NOTE, status: 'applied', version: 3 }, { amount: 5000 }),
  },
  'credit_note.voided': {
    when: 'A credit note was withdrawn.',
    data: voided,
    example: was('applied', { ...NOTE, status: 'void', version: 3 }, ISSUED),
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof DOCUMENT_EVENTS> {}
}
