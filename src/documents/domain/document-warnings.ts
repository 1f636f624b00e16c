import type { IsoDate } from '../../kernel/clock.js';
import { type PublicId, publicId } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { type LineRequest, productOf } from './calculation/calculation-request.js';
import { taxOn } from './calculation/tax-group.js';
import type { DocumentState } from './document-state.js';
import type { Buyer, Seller } from './parties/party.js';
import type { LegalFinding } from './legal/legal-check.js';

/** The service did as asked, and it may not have been meant; answers and events tell it. */
export type DocumentWarning =
  | DateWarning
  | GlyphWarning
  | ProcessingWarning
  | AmountWarning
  | LegalFinding;

export interface GlyphWarning {
  code: 'characters_not_printable';
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
  characters: string[];
}

interface AmountWarning {
  code: 'line_amount_differs' | 'tax_amount_differs';
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
}

interface ProcessingWarning {
  code: 'payment_processing';
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
}

export interface DateWarning {
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

/** Of a credit note after which its invoice does not need all the money that is on its way. */
export function processingWarningsOf(invoice: {
  state: Pick<DocumentState, 'amountProcessing'>;
  amountPayable: Money;
}): ProcessingWarning[] {
  const { amountProcessing } = invoice.state;
  if (amountProcessing.compare(invoice.amountPayable) <= 0) return [];
  const message =
    `A provider has ${amountProcessing} for the invoice on its way, and ${invoice.amountPayable} is due; ` +
    'the rest becomes the customer’s credit when it comes.';
  return [{ code: 'payment_processing', message, pointer: '/origin' }];
}

const MOST_AMOUNT_WARNINGS = 20;

interface BilledLine extends Pick<LineRequest, 'quantity' | 'unitAmountDecimal' | 'details'> {
  subtotal: Money;
}

/** Of lines that were issued elsewhere with another amount than quantity and price come to. */
export function amountWarningsOf(lines: readonly BilledLine[]): AmountWarning[] {
  return lines
    .flatMap((line, at): AmountWarning[] => {
      const product = Money.of(productOf(line), line.subtotal.currency);
      if (product.compare(line.subtotal) === 0) return [];
      const message =
        `The line comes to ${product} by quantity and price, before discounts and charges; it is kept ` +
        `with ${line.subtotal}, as it was issued.`;
      return [{ code: 'line_amount_differs', message, pointer: `/lines/${at}/net_amount` }];
    })
    .slice(0, MOST_AMOUNT_WARNINGS);
}

/** Of taxes that were issued elsewhere with another amount than base and rate come to. */
export function taxWarningsOf(
  groups: readonly { rate: string; base: Money; tax: Money }[],
): AmountWarning[] {
  return groups.flatMap(({ base, rate, tax }, at): AmountWarning[] => {
    const own = taxOn(base, rate);
    if (own.compare(tax) === 0) return [];
    const message = `The tax comes to ${own} by base and rate; it is kept with ${tax}, as it was issued.`;
    return [{ code: 'tax_amount_differs', message, pointer: `/tax_groups/${at}/tax_amount` }];
  });
}

/** The texts of a document that somebody wrote, and that are printed. */
export interface WrittenTexts {
  seller: Seller;
  customer: Buyer;
  lines: readonly { description: string; details?: object }[];
  details: object;
  notes?: string | null;
  purchaseOrder?: string | null;
}

const MOST_GLYPH_WARNINGS = 20;

/**
 * The texts with characters that no font has, which would be printed as empty boxes, and with
 * controls and overrides, which make the paper say something else than the data.
 * @param withoutGlyph tells them of a text
 */
export function glyphWarningsOf(
  { seller, customer, lines, details, notes, purchaseOrder }: WrittenTexts,
  withoutGlyph: (text: string) => string[],
): GlyphWarning[] {
  const words = lines.map((line) => ({ description: line.description, ...line.details }));
  const texts = [
    ...textsIn({ seller, customer, lines: words, ...details }, ''),
    { pointer: '/notes', text: notes ?? '' },
    { pointer: '/purchase_order', text: purchaseOrder ?? '' },
  ];
  return texts
    .flatMap(({ pointer, text }) => {
      const characters = withoutGlyph(text);
      if (characters.length === 0) return [];
      const message = `${characters.map(shown).join(' ')} cannot be printed as it is: no font has it, or it changes the order of letters; write it in another way.`;
      return [{ code: 'characters_not_printable' as const, message, pointer, characters }];
    })
    .slice(0, MOST_GLYPH_WARNINGS);
}

/** A character that nobody sees, by its number. */
function shown(character: string): string {
  if (!/[\p{Cc}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/u.test(character))
    return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}

function textsIn(value: unknown, pointer: string): { pointer: string; text: string }[] {
  if (typeof value === 'string') return [{ pointer, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, `${pointer}/${key}`));
}
