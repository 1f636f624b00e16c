import type { SeenRefund } from '../returning/application/refunds/locked-refunds.js';
import type { Refund } from '../returning/domain/refund.js';
import { isUndecided } from '../returning/domain/refunds/refund-meaning.js';
import { type PaymentWarningBody, paymentWarnings } from '../recording/wire/payment-warnings.js';

/** Warnings of what was done and may not have been meant. They follow from the refund, on a repeat too. */
export function refundWarnings({ refund, bookedOn }: SeenRefund): {
  warnings?: PaymentWarningBody[];
} {
  const { warnings: booked = [] } = paymentWarnings(bookedOn ?? null);
  const warnings = [...booked, ...assumed(refund), ...undecided(refund), ...standing(refund)];
  return warnings.length > 0 ? { warnings } : {};
}

/** Nobody said it with the refund: the answer names the other. */
function assumed({ meaning, undoing }: Refund): PaymentWarningBody[] {
  if (!meaning || undoing || !['setting', 'default'].includes(meaning.saidBy)) return [];
  const { name } = meaning;
  const by = meaning.saidBy === 'setting' ? 'by your setting' : 'as nothing else is set';
  const [message, other] =
    name === 'owed_again'
      ? [
          `What goes back is due again, ${by}. Send \`lowers_document\` to make a credit note with it.`,
          'lowers_document',
        ]
      : [
          `A credit note lowers the document, ${by}. Send \`owed_again\` where it has to be paid once more.`,
          'owed_again',
        ];
  return [
    {
      code: 'refund_meaning_assumed',
      message,
      meaning: name,
      other_meaning: other ?? 'owed_again',
    },
  ];
}

function undecided(refund: Refund): PaymentWarningBody[] {
  if (!isUndecided(refund)) return [];
  const problem = refund.meaning?.problem;
  const why = problem ? `Its credit note was refused (${problem}).` : 'Nobody said what it means.';
  const message = `${why} Nobody is asked for what went back until \`POST refunds/{id}/meaning\` says it.`;
  return [{ code: 'refund_undecided', message }];
}

/** The money is here again, and the document stays lowered: what came back is credit. */
function standing({ undoing, notes }: Refund): PaymentWarningBody[] {
  const numbers = notes.filter(({ isVoid }) => !isVoid).map(({ number }) => number);
  if (!undoing || numbers.length === 0) return [];
  const message =
    `The money is here again, and ${numbers.join(', ')} still lowers the document, so it is the ` +
    'customer’s credit. Void the note if the document is to be paid.';
  return [{ code: 'credit_note_stands', message }];
}
