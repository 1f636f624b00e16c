import {
  AmountMinor,
  DateText,
  DecimalText,
  NestedList,
  Paragraph,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { Metadata } from '../../platform/http/validation/list-fields.js';
import { LARGEST_LINE_COUNT } from './document.dto.js';

class CreditLineRequestBody {
  @WholeNumber({ min: 1, max: LARGEST_LINE_COUNT, description: 'The line’s place on the invoice.' })
  position!: number;

  @DecimalText({
    min: '-1000000000',
    max: '1000000000',
    places: 6,
    optional: true,
    example: '1',
    description:
      'How much of the line is credited, below zero where the line is. Default: all that is left.',
  })
  quantity?: string | number;

  @AmountMinor({
    signed: true,
    optional: true,
    description: 'The amount with tax, below zero where the line is. Send this or quantity.',
  })
  amount?: number;
}

export class CreateCreditNoteRequest {
  @NestedList(() => CreditLineRequestBody, { max: LARGEST_LINE_COUNT, optional: true })
  lines?: CreditLineRequestBody[];

  @AmountMinor({
    optional: true,
    description: 'The amount with tax. Without lines and amount, all that is left is credited.',
  })
  amount?: number;

  @DateText({ optional: true })
  issue_date?: string;

  @Paragraph({ max: 5000, optional: true, description: 'Why it is credited; the text is printed.' })
  notes?: string;

  @Text({ max: 255, optional: true, description: 'Your own id; it is unique in the account.' })
  external_id?: string;

  @Metadata()
  metadata?: Record<string, string>;
}
