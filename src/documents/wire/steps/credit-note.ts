import { z } from 'zod';
import { requestShape } from '../../../platform/http/validation/shapes.js';
import {
  amountMinor,
  decimalText,
  nestedList,
  wholeNumber,
} from '../../../platform/http/validation/fields.js';
import { dateText } from '../../../platform/http/validation/date-fields.js';
import { paragraph, shortText } from '../../../platform/http/validation/text-fields.js';
import { metadata } from '../../../platform/http/validation/list-fields.js';
import { LARGEST_LINE_COUNT } from '../document.js';

const CreditLineRequestBody = requestShape('CreditLineRequestBody', {
  position: wholeNumber({
    min: 1,
    max: LARGEST_LINE_COUNT,
    description: 'The line’s place on the invoice.',
  }),
  quantity: decimalText({
    min: '-1000000000',
    max: '1000000000',
    places: 6,
    optional: true,
    example: '1',
    description:
      'How much of the line is credited, below zero where the line is. Default: all that is left.',
  }),
  amount: amountMinor({
    signed: true,
    optional: true,
    description: 'The amount with tax, below zero where the line is. Send this or quantity.',
  }),
});
type CreditLineRequestBody = z.output<typeof CreditLineRequestBody>;

export const CreateCreditNoteRequest = requestShape('CreateCreditNoteRequest', {
  lines: nestedList(() => CreditLineRequestBody, { max: LARGEST_LINE_COUNT, optional: true }),
  amount: amountMinor({
    optional: true,
    description: 'The amount with tax. Without lines and amount, all that is left is credited.',
  }),
  issue_date: dateText({ optional: true }),
  notes: paragraph({
    max: 5000,
    optional: true,
    description: 'Why it is credited; the text is printed.',
  }),
  external_id: shortText({
    max: 255,
    optional: true,
    description: 'Your own id; it is unique in the account.',
  }),
  metadata: metadata(),
});
export type CreateCreditNoteRequest = z.output<typeof CreateCreditNoteRequest>;
