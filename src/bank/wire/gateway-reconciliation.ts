import { z } from 'zod';
import { PageEnds } from '../../platform/http/paging.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { dateText } from '../../platform/http/validation/date-fields.js';

export const GatewayReconciliationRequest = queryShape({
  from: dateText({
    optional: true,
    description: 'The first day that is told apart. Default: all days.',
  }),
  date: dateText({
    optional: true,
    description: 'The state at the end of this day. Default: today.',
  }),
});
export type GatewayReconciliationRequest = z.output<typeof GatewayReconciliationRequest>;

export const ReconciledGatewayBody = answerShape('ReconciledGatewayBody', {
  gateway: z.string().nullable().describe('null: posted there by hand.'),
  currency: z.string(),
  opening: z.number().describe('Before the first day.'),
  payments: z.number().describe('Money taken, less what the provider took back.'),
  refunds: z.number(),
  fees: z.number().describe('Below zero: the provider kept them.'),
  disputes: z.number().describe('Below zero: the provider holds it.'),
  payouts: z.number().describe('Below zero: sent to the bank.'),
  other: z.number().describe('Entries of the bank that were posted there.'),
  closing: z.number().describe('What the provider should have of you at the end of the day.'),
});
export type ReconciledGatewayBody = z.output<typeof ReconciledGatewayBody>;

const LedgerClearingBody = answerShape('LedgerClearingBody', {
  currency: z.string(),
  gateway_clearing: z.number().describe('The sum of all gateways: the account `gateway_clearing`.'),
});
type LedgerClearingBody = z.output<typeof LedgerClearingBody>;

export const GatewayReconciliationBody = answerShape('GatewayReconciliationBody', {
  ...PageEnds.shape,
  from: z.string().nullable().meta({ format: 'date' }),
  date: z.string().meta({ format: 'date' }),
  data: z.array(ReconciledGatewayBody),
  totals: z.array(LedgerClearingBody),
});
export type GatewayReconciliationBody = z.output<typeof GatewayReconciliationBody>;
