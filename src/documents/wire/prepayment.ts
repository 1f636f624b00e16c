import { z } from 'zod';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { parsePaymentMethod, PAYMENT_METHODS } from '../../kernel/payment-method.js';
import { instantIn, instantText } from '../../platform/http/validation/date-fields.js';
import { amountMinor, nestedList, oneOf } from '../../platform/http/validation/fields.js';
import { metadata } from '../../platform/http/validation/list-fields.js';
import { requestShape } from '../../platform/http/validation/shapes.js';
import { matching, paragraph, shortText } from '../../platform/http/validation/text-fields.js';
import {
  MOST_PREPAYMENTS,
  type MoneyIn,
  ON_OVERPAYMENT,
  type Prepayment,
} from '../domain/prepayment.js';

/** The fields of money that came in, before an issue or later. */
export const MoneyInRequest = requestShape('MoneyInRequest', {
  amount: amountMinor({
    description: 'In the minor unit of the document’s currency.',
    example: 25000,
  }),
  method: matching(
    {
      refusal: FieldRefusal.unknown_method,
      test: (text) => parsePaymentMethod(text) !== undefined,
      message: `must be one of ${PAYMENT_METHODS.join(', ')}`,
    },
    {
      example: 'bank_transfer',
      description: `One of ${PAYMENT_METHODS.join(', ')}; capitals, \`-\` and spaces do not matter.`,
    },
  ),
  reference: shortText({ max: 255, min: 0, optional: true, example: 'RF18 5390 0754 7034' }),
  paid_at: instantText({ optional: true, description: 'When it was paid. Default: now.' }),
  note: paragraph({ max: 2000, min: 0, optional: true }),
  metadata: metadata(),
});
export type MoneyInRequest = z.output<typeof MoneyInRequest>;

export const onOverpayment = () =>
  oneOf(ON_OVERPAYMENT, {
    optional: true,
    description:
      'What happens to money above the amount due: it is rejected, or becomes the customer’s ' +
      'credit. Default: `reject`.',
  });

export const PrepaymentRequest = requestShape('PrepaymentRequest', {
  ...MoneyInRequest.shape,
  on_overpayment: onOverpayment(),
});
export type PrepaymentRequest = z.output<typeof PrepaymentRequest>;

export const prepayments = () =>
  nestedList(() => PrepaymentRequest, {
    min: 0,
    max: MOST_PREPAYMENTS,
    optional: true,
    description:
      'What was paid before an invoice is issued (BT-113). With the issue each becomes a payment. ' +
      'Needs the scope `payments:write`.',
  });

export const prepaymentsIn = (body: { prepayments?: PrepaymentRequest[] | undefined }) =>
  (body.prepayments ?? []).map((one): Prepayment => ({
    ...toMoneyIn(one),
    onOverpayment: one.on_overpayment ?? 'reject',
  }));

export function toMoneyIn(body: MoneyInRequest): MoneyIn {
  return {
    amountMinor: BigInt(body.amount),
    method: parsePaymentMethod(body.method) ?? 'other',
    reference: body.reference || null,
    note: body.note || null,
    metadata: body.metadata ?? {},
    paidAt: instantIn(body.paid_at) ?? null,
  };
}
