import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { currency, minorUnits, publicIdOf } from '../../platform/http/validation/answer-fields.js';
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
    version: z.int(),
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
  });
export type DocumentSnapshot = z.infer<typeof snapshot>;

/** The place of an event in the history of a document, which shows it. */
export const inHistory = {
  document: snapshot,
  previous_status: status.nullable().describe('Null for what is new.'),
};

const step = z.object(inHistory).meta({ id: 'Step' });

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

/** The events about documents. */
export const DOCUMENT_EVENTS = {
  'document.created': { when: 'A draft of an invoice or a quote was made.', data: step },
  'document.updated': { when: 'A draft was edited, or metadata was.', data: updated },
  'document.deleted': { when: 'A draft was deleted.', data: step },
  'document.issued': { when: 'An invoice or a quote got its number and is open.', data: issued },
  'document.viewed': { when: 'A person opened a page of it for the first time.', data: step },
  'document.accepted': { when: 'The client accepted a quote.', data: accepted },
  'document.rejected': { when: 'The client declined an invoice or a quote.', data: step },
  'document.converted': { when: 'An invoice was made of a quote.', data: step },
  'document.conversion_undone': { when: 'The draft made of a quote was deleted.', data: step },
  'document.partially_paid': { when: 'Money came in, and something is still due.', data: step },
  'document.paid': { when: 'Money came in, and nothing is due any more.', data: step },
  'document.overpaid': { when: 'More than was due came in; the rest is credit.', data: step },
  'document.reopened': { when: 'A paid amount is due again.', data: step },
  'document.credited': { when: 'A credit note was issued for an invoice.', data: credited },
  'document.credit_reversed': { when: 'A credit note of an invoice was voided.', data: credited },
  'document.written_off': { when: 'The amount due was written off.', data: writtenOff },
  'document.write_off_reversed': {
    when: 'What was written off is asked for again.',
    data: reversedWriteOff,
  },
  'document.tax_relief_claimed': {
    when: 'The tax of what was let go is claimed back, later than at the write-off.',
    data: step,
  },
  'document.voided': { when: 'An invoice or a quote was withdrawn.', data: voided },
  'credit_note.created': { when: 'A draft of a credit note was made.', data: step },
  'credit_note.updated': { when: 'A draft was edited, or metadata was.', data: updated },
  'credit_note.deleted': { when: 'A draft of a credit note was deleted.', data: step },
  'credit_note.issued': { when: 'A credit note got its number.', data: issued },
  'credit_note.moved': {
    when: 'Credit of a note went onto its invoice, as money of that went back, or came off again.',
    data: creditMoved,
  },
  'credit_note.voided': { when: 'A credit note was withdrawn.', data: voided },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof DOCUMENT_EVENTS> {}
}
