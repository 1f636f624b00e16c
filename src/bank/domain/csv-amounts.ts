import { type Currency, isCurrency, minorDigits } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import { type CsvHints, type Direction, malformedStatement } from './bank-statement.js';
import { statedDirection } from './csv-direction.js';
import { type DecimalSign, decimalSignIn, parseMinorUnits, plainDecimal } from './decimal-text.js';

/** An amount as it is written: `-12,30`, `12,30-`, `(3.50)`, `€12.50`, `900.00 DR`, `+12,30 EUR`. */
export interface WrittenAmount {
  /** Digits and their separators; empty where nobody can tell. */
  text: string;
  /** By its sign, parentheses or word; null where it has none. */
  says: Direction | null;
  /** Those that its code or sign may mean; null where it has none. */
  currencies: readonly Currency[] | null;
}

const SIGNS: ReadonlyMap<string, readonly Currency[]> = new Map(
  Object.entries({
    '€': 'EUR',
    '£': 'GBP GIP FKP SHP EGP LBP',
    $: 'USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD TWD XCD',
    '¥': 'JPY CNY',
    '₹': 'INR',
    '₺': 'TRY',
    '₴': 'UAH',
    '₽': 'RUB',
    '₩': 'KRW',
    '₪': 'ILS',
    '₱': 'PHP',
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    kr: 'SEK NOK DKK ISK',
    lei: 'RON',
    лв: 'BGN',
    rs: 'INR PKR LKR NPR MUR',
    fr: 'CHF',
    sfr: 'CHF',
  }).map(([sign, codes]): [string, Currency[]] => [sign, codes.split(' ')]),
);

const NOBODY_KNOWS: WrittenAmount = { text: '', says: null, currencies: null };
const BEFORE = /^(?:[+-]|\p{Sc}|\p{L}{1,6}\.?)/u;
const PLAIN = /^-?\d[\d.,']*$/;
const MOST_MARKS = 4;

/** Marks before and behind the digits are taken off one by one; two signs are none. */
export function writtenAmount(cell: string): WrittenAmount {
  // Nearly all amounts of a file are as plain as that.
  if (PLAIN.test(cell)) {
    const isDebit = cell.startsWith('-');
    return {
      text: isDebit ? cell.slice(1) : cell,
      says: isDebit ? 'debit' : null,
      currencies: null,
    };
  }
  let text = cell
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('\u2019', "'")
    .trim();
  const marks: string[] = [];
  for (let count = 0; count < MOST_MARKS && !/^\d[^\p{L}\p{Sc}()+-]*$/u.test(text); count += 1) {
    if (text.startsWith('(') && text.endsWith(')')) {
      marks.push('-');
      text = text.slice(1, -1).trim();
      continue;
    }
    const [before = ''] = BEFORE.exec(text) ?? [];
    const [behind = ''] = before ? [] : (/[+-]$|\p{Sc}$|\p{L}{1,6}\.?$/u.exec(text) ?? []);
    if (before) marks.push(before);
    if (behind) marks.push(behind);
    text = text.slice(before.length, text.length - behind.length).trim();
  }
  return markedAmount(text, marks);
}

function markedAmount(text: string, marks: readonly string[]): WrittenAmount {
  let [says, currencies] = [null, null] as [Direction | null, readonly Currency[] | null];
  for (const mark of marks) {
    const sign = mark.replace(/\.$/, '').toLowerCase();
    const code = mark.toUpperCase();
    const codes = isCurrency(code) ? [code] : SIGNS.get(sign);
    const direction = codes ? undefined : statedDirection(mark);
    if ((codes && currencies) || (direction && says) || !(codes ?? direction)) return NOBODY_KNOWS;
    currencies = codes ?? currencies;
    says = direction ?? says;
  }
  return { text, says, currencies };
}

export interface ReadAmount {
  amount: Money;
  says: Direction | null;
}

/** The amounts of one file, whose decimal sign is the same in all of it. */
export class CsvAmounts {
  private constructor(private readonly sign: DecimalSign | 'either' | 'none') {}

  /** One sign in all of the file, by those of its amounts that can be read in one way only. */
  static of(cells: Iterable<string>, decimal: CsvHints['decimal']): CsvAmounts {
    if (decimal) return new CsvAmounts(decimal === 'comma' ? ',' : '.');
    const found = new Set<string>();
    for (const cell of cells) found.add(decimalSignIn(writtenAmount(cell).text) ?? 'none');
    if (found.has(',') && found.has('.')) {
      throw malformedStatement(
        'Some amounts of the file have a decimal comma and some a decimal point; send decimal.',
      );
    }
    const signs = [',', '.', 'either'] as const;
    return new CsvAmounts(signs.find((sign) => found.has(sign)) ?? 'none');
  }

  /** `either`: it may be read in two ways. Undefined for what is no amount in this currency. */
  read(cell: string, currency: Currency): ReadAmount | 'either' | undefined {
    const { text, says, currencies } = writtenAmount(cell);
    if (text === '' || (currencies && !currencies.includes(currency))) return undefined;
    const isOpen = this.sign === 'either' && decimalSignIn(text) === 'either';
    // A yen has no fraction: the sign parts thousands.
    if (isOpen && minorDigits(currency) > 0) return 'either';
    const sign = this.sign === ',' ? ',' : '.';
    const parsed =
      (isOpen ? undefined : minorOf(text, sign, currency)) ??
      (minorDigits(currency) === 0 ? withThousands(text, currency) : undefined);
    return parsed === undefined ? undefined : { amount: Money.of(parsed, currency), says };
  }
}

function minorOf(text: string, sign: DecimalSign, currency: Currency): bigint | undefined {
  const plain = plainDecimal(text, sign);
  return plain === undefined ? undefined : parseMinorUnits(plain, currency);
}

function withThousands(text: string, currency: Currency): bigint | undefined {
  const sign = text.includes(',') ? '.' : ',';
  return minorOf(text, sign, currency);
}
