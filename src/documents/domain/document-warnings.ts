import type { IsoDate } from '../../kernel/clock.js';
import { type PublicId, publicId } from '../../kernel/ids.js';
import type { DocumentState } from './document-state.js';
import type { LegalFinding } from './legal/legal-check.js';

/** The service did as asked, and it may not have been meant; answers and events tell it. */
export type DocumentWarning = DateWarning | LegalFinding;

interface DateWarning {
  code: 'date_before_last_issued';
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
  last_issued: { id: PublicId; number: string; issue_date: IsoDate };
}

/**
 * Of a document that is being issued. Numbers that go on while dates go back are allowed: a month
 * may be billed late. But where the clock was set back, nobody meant it.
 */
export function dateWarningsOf(state: Readonly<DocumentState>): DateWarning[] {
  const { number, series, issueDate, numberBefore: last } = state;
  if (!last || issueDate === null || issueDate >= last.issueDate) return [];
  return [
    {
      code: 'date_before_last_issued',
      message:
        `${number} is dated ${issueDate}, before ${last.number} of ${last.issueDate}, which the ` +
        `series ${series} gave last; if that was not meant, check issue_date, or the server's clock ` +
        'if you sent none.',
      pointer: '/issue_date',
      last_issued: {
        id: publicId('doc', last.documentId),
        number: last.number,
        issue_date: last.issueDate,
      },
    },
  ];
}
