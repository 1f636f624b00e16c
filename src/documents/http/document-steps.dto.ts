import { DateText, Flag, Paragraph, WholeNumber } from '../../platform/http/validation/fields.js';

export class CopyDocumentRequest {
  @DateText({ optional: true })
  issue_date?: string;

  @DateText({ optional: true })
  due_date?: string;

  @WholeNumber({ min: 0, max: 3650, optional: true, description: 'Or send due_date.' })
  payment_terms_days?: number;

  @Flag({ optional: true, description: 'True to issue it at once instead of keeping a draft.' })
  issue?: boolean;
}

export class ReverseWriteOffRequest {
  @Paragraph({ max: 500, optional: true, example: 'Insolvency' })
  reason?: string;
}

export class WriteOffRequest extends ReverseWriteOffRequest {
  @DateText({
    optional: true,
    description:
      'The day for which the loss counts, such as the last one of a year. Default: today.',
  })
  date?: string;

  @Flag({
    optional: true,
    description: 'Whether the tax of the loss is claimed back at once. Default: false.',
  })
  tax_relief?: boolean;

  @Flag({
    optional: true,
    description:
      'Write it off also where a provider has money on its way. When that comes, it is booked on the invoice.',
  })
  despite_processing?: boolean;
}

export class VoidRequest {
  @Paragraph({ max: 500, optional: true, example: 'Sent to the wrong customer' })
  reason?: string;

  @Flag({
    optional: true,
    description:
      'Void it also where a provider has money on its way. When that comes, it is an unmatched receipt.',
  })
  despite_processing?: boolean;
}

export class ClaimTaxReliefRequest {
  @DateText({
    optional: true,
    description: 'The day for which the claim counts. Default: today.',
  })
  date?: string;
}
