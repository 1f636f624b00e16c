import { minorDigits } from '../../../kernel/currency.js';
import type { Money } from '../../../kernel/money.js';
import type { InvoiceRule, JudgedDocument } from './invoice-rule.js';

const hasThreeDecimals = ({ minor, currency }: Money) =>
  minorDigits(currency) > 2 && minor % 10n !== 0n;

const AMOUNTS: [id: string, pointer: string, amountOf: (document: JudgedDocument) => Money][] = [
  ['BR-DEC-12', '/net_total', ({ netTotal }) => netTotal],
  ['BR-DEC-13', '/tax_total', ({ taxTotal }) => taxTotal],
  ['BR-DEC-14', '/total', ({ total }) => total],
];

/** EN 16931 knows two decimals, also where a currency such as the dinar has three. */
export const DECIMAL_RULES: readonly InvoiceRule[] = [
  ...AMOUNTS.map(([id, pointer, amountOf]): InvoiceRule => ({
    id,
    law: null,
    code: 'amount_too_exact',
    message: 'an e-invoice takes two decimals; bill amounts whose third one is 0.',
    broken: (document) => (hasThreeDecimals(amountOf(document)) ? [pointer] : []),
  })),
  {
    id: 'BR-DEC-23',
    law: null,
    code: 'amount_too_exact',
    message: 'a line of an e-invoice takes two decimals; bill amounts whose third one is 0.',
    broken: ({ lines }) =>
      lines.flatMap(({ net }, index) =>
        hasThreeDecimals(net) ? [`/lines/${index}/net_amount`] : [],
      ),
  },
];
