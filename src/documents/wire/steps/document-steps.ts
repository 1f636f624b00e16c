import { z } from 'zod';
import { requestShape } from '../../../platform/http/validation/shapes.js';
import { dateText } from '../../../platform/http/validation/date-fields.js';
import { flag, wholeNumber } from '../../../platform/http/validation/fields.js';
import { prepayments } from '../prepayment.js';
import { paragraph } from '../../../platform/http/validation/text-fields.js';

export const CopyDocumentRequest = requestShape('CopyDocumentRequest', {
  issue_date: dateText({ optional: true }),
  due_date: dateText({ optional: true }),
  payment_terms_days: wholeNumber({
    min: 0,
    max: 3650,
    optional: true,
    description: 'Or send due_date.',
  }),
  issue: flag({
    optional: true,
    description: 'True to issue it at once instead of keeping a draft.',
  }),
  prepayments: prepayments(),
});
export type CopyDocumentRequest = z.output<typeof CopyDocumentRequest>;

export const IssueDocumentRequest = requestShape('IssueDocumentRequest', {
  prepayments: prepayments(),
});
export type IssueDocumentRequest = z.output<typeof IssueDocumentRequest>;

export const ReverseWriteOffRequest = requestShape('ReverseWriteOffRequest', {
  reason: paragraph({ max: 500, optional: true, example: 'Insolvency' }),
});
export type ReverseWriteOffRequest = z.output<typeof ReverseWriteOffRequest>;

export const WriteOffRequest = requestShape('WriteOffRequest', {
  ...ReverseWriteOffRequest.shape,
  date: dateText({
    optional: true,
    description:
      'The day for which the loss counts, such as the last one of a year. Default: today.',
  }),
  tax_relief: flag({
    optional: true,
    description: 'Whether the tax of the loss is claimed back at once. Default: false.',
  }),
  despite_processing: flag({
    optional: true,
    description:
      'Write it off also where a provider has money on its way. When that comes, it is booked on the invoice.',
  }),
});
export type WriteOffRequest = z.output<typeof WriteOffRequest>;

export const VoidRequest = requestShape('VoidRequest', {
  reason: paragraph({ max: 500, optional: true, example: 'Sent to the wrong customer' }),
  despite_processing: flag({
    optional: true,
    description:
      'Void it also where a provider has money on its way. When that comes, it is an unmatched receipt.',
  }),
});
export type VoidRequest = z.output<typeof VoidRequest>;

export const ClaimTaxReliefRequest = requestShape('ClaimTaxReliefRequest', {
  date: dateText({
    optional: true,
    description: 'The day for which the claim counts. Default: today.',
  }),
});
export type ClaimTaxReliefRequest = z.output<typeof ClaimTaxReliefRequest>;
