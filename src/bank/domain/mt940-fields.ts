import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import { tidyIban, tidyText } from '../../kernel/tidy-text.js';
import {
  type BankBalance,
  isPlaceholder,
  malformedStatement,
  type StatedBankEntry,
  tidyReference,
} from './bank-statement.js';
import { parseMinorUnits, plainDecimal } from './decimal-text.js';
import { detailsOfMt940 } from './mt940-details.js';

/** A field of a message: `:61:2611181118C119,00NTRFNONREF`, and the line that it begins on. */
export interface Mt940Field {
  tag: string;
  lines: string[];
  line: number;
}

/** Null for one that is only expected. */
export interface ReadEntry {
  entry: StatedBankEntry | null;
  unused: readonly string[];
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,3}|\.(?:\d\d)?)?)$/;
/** Value date, entry date, mark, funds code, amount, type, and the references. */
const ENTRY =
  /^(\d{6})(\d{4}| {4})?(E?R?[CD])([A-Z])?(\d{1,15}(?:,\d{0,3}|\.(?:\d\d)?)?) *(?:([NFS][A-Z0-9 ]{3})(.*)|(\/\/.*)?)$/;

export function balanceOf(field: Mt940Field | undefined): BankBalance | null {
  if (!field) return null;
  const [, mark, day = '', currency = '', figures = ''] =
    BALANCE.exec(field.lines[0]?.trim() ?? '') ?? [];
  const amount = amountIn(figures, currency);
  const date = dateIn(day);
  if (!amount || !date) throw wrong(field, 'is no balance, as C261118EUR1294,05');
  return { amount: mark === 'D' ? amount.negated() : amount, date };
}

/** @param details the lines of each field 86 below it */
export function entryOf(field: Mt940Field, details: string[][], currency: string): ReadEntry {
  const [first = '', ...supplement] = field.lines;
  const parts = ENTRY.exec(first.trimEnd());
  if (!parts) throw wrong(field, 'is no entry, as 2611181118C119,00NTRFNONREF//REFERENCE');
  const [, valued = '', entered = '', mark = '', , figures = '', typed = ''] = parts;
  const amount = amountIn(figures, currency);
  const days = daysIn(valued, entered.trim());
  if (!amount || !days) throw wrong(field, 'has a date or an amount that does not exist');
  if (mark.startsWith('E')) return { entry: null, unused: [] };
  const isReversal = mark.startsWith('R');
  // A reversed credit takes money away.
  const isCredit = mark.endsWith('C') !== isReversal;
  const below = supplement.join('');
  const more = detailsOfMt940(details, below);
  const said = referencesIn(parts[7] ?? parts[8] ?? '', below, more.iban);
  const type = typed.slice(1).trim();
  const isReturn = type === 'RTI' || more.isReturn;
  const fee = feeIn(more, amount, isCredit);
  const words = more.remittance.includes(said.words) ? '' : said.words;
  const entry: StatedBankEntry = {
    direction: isCredit ? 'credit' : 'debit',
    isReversal,
    amount: fee ? (isCredit ? amount.plus(fee) : amount.minus(fee)) : amount,
    fee: fee ?? Money.zero(currency),
    ...days,
    counterpartyName: tidyText(more.name) ?? tidyText(said.name),
    counterpartyIban: tidyIban(more.iban) ?? tidyIban(said.iban),
    remittance: tidyText(more.remittance, 2000) ?? tidyText(words),
    structuredReference: tidyReference(more.structuredReference),
    endToEndId: tidyReference(more.endToEndId) ?? tidyText(said.customers),
    bankReference: tidyText(said.banks),
    transactionType: tidyText(more.type) ?? tidyText(words),
    returnReason: isReturn ? tidyText(more.returnReason ?? type) : null,
  };
  return { entry, unused: [...more.unused, ...said.unused] };
}

interface References {
  customers?: string | undefined;
  banks: string | undefined;
  name?: string | undefined;
  iban?: string | undefined;
  /** Banks write words there, too, that name nothing. */
  words: string;
  unused: string[];
}

/** `NONREF          GLOBEX B.V.`: sixteen characters of reference or account, and a name. */
const WITH_NAME = /^(\S{1,15}) {2,}(\S.*)$/;
/** The amounts and the code of the details. */
const OF_DETAILS = /^\/(?:OCMT|CHGS|TRCD)\//;
const LETTERS = /\p{L}{2}/u;

/**
 * @param text behind the type: the customer's reference, `//`, and the bank's
 * @param below the second line of the field
 * @param other the account that the details tell
 */
function referencesIn(text: string, below: string, other: string | undefined): References {
  const cut = text.indexOf('//');
  const [before, after] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 2)];
  const [, first = before.trim(), name = ''] = WITH_NAME.exec(before.trim()) ?? [];
  const hasName = LETTERS.test(name);
  const own = hasName ? first : before.trim();
  const more = OF_DETAILS.test(below) ? '' : below.trim();
  const banks = reference(after);
  // ASN and SNS: the account of the other side is the reference, and its name is below.
  if (isIban(own) || (own !== '' && own === other)) {
    return { iban: own, name: more, banks, words: '', unused: [] };
  }
  const said = [own, after.trim()].filter((part) => reference(part) === undefined);
  const isWords = LETTERS.test(more) && !isIban(more);
  const words = [...said, isWords ? more : ''].filter((part) => !isPlaceholder(part));
  return {
    // A number with a name behind it is an account, without a country.
    customers: hasName ? undefined : reference(own),
    banks,
    name: hasName ? name : '',
    iban: isIban(more) ? more : undefined,
    words: words.join(' '),
    unused: [
      ...(hasName && reference(own) !== undefined ? ['the account in :61:'] : []),
      ...(more === '' || isWords || isIban(more) ? [] : ['the second line of :61:']),
    ],
  };
}

/** A reference has a number in it: the others are placeholders and words. */
function reference(text: string): string | undefined {
  const own = text.trim();
  return /[1-9]/.test(own) && !isPlaceholder(own) ? own : undefined;
}

/** With right check digits (ISO 13616), or in the form of Dutch banks: a reference may look like one. */
function isIban(text: string): boolean {
  const iban = tidyIban(text);
  if (iban === null || iban.startsWith('RF') || iban.length < 15) return false;
  if (/^NL\d{2}[A-Z]{4}\d{10}$/.test(iban)) return true;
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = [...turned].map((one) => Number.parseInt(one, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Charges that make the amount of the entry with the original amount; null without. */
function feeIn(
  { original, charges }: { original: string | undefined; charges: string | undefined },
  amount: Money,
  isCredit: boolean,
): Money | null {
  const [whole, fee] = [original, charges].map((text) => amountIn(text ?? '', amount.currency));
  if (!whole || !fee || fee.isZero()) return null;
  const sum = isCredit ? whole.minus(fee) : whole.plus(fee);
  return sum.compare(amount) === 0 ? fee : null;
}

function amountIn(figures: string, currency: string): Money | undefined {
  if (!isCurrency(currency)) return undefined;
  const plain = plainDecimal(figures.trim(), figures.includes('.') ? '.' : ',');
  const minor = plain === undefined ? undefined : parseMinorUnits(plain, currency);
  return minor === undefined ? undefined : Money.of(minor, currency);
}

/** `261118`; files of the last century are none of ours. */
function dateIn(digits: string): IsoDate | undefined {
  const date = `20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`;
  return digits.length === 6 && isCalendarDate(date) ? date : undefined;
}

/** Of the value, and of the entry; without a day of its own, that of the value. */
function daysIn(
  valued: string,
  entered: string,
): Pick<StatedBankEntry, 'bookedOn' | 'valueOn'> | undefined {
  // Interest counts months of 30 days: banks write the 30th of February.
  const isThirtieth = /02(?:29|30)$/.test(valued) && entered !== '';
  const valueOn = dateIn(valued);
  const near = valueOn ?? (isThirtieth ? dateIn(`${valued.slice(0, 4)}28`) : undefined);
  const bookedOn = near && entered ? nearest(near, entered) : near;
  return bookedOn ? { bookedOn, valueOn: valueOn ?? null } : undefined;
}

/** The day of the entry has no year: it is that which comes nearest to the value date. */
function nearest(valueOn: IsoDate, entered: string): IsoDate | undefined {
  const year = new Date(valueOn).getUTCFullYear();
  const days = [year - 1, year, year + 1]
    .map((one) => `${one}-${entered.slice(0, 2)}-${entered.slice(2)}`)
    .filter(isCalendarDate);
  const distance = (day: IsoDate) => Math.abs(Date.parse(day) - Date.parse(valueOn));
  const [first, ...others] = days;
  return (
    first && others.reduce((one, other) => (distance(other) < distance(one) ? other : one), first)
  );
}

function wrong({ tag, line, lines }: Mt940Field, what: string): Error {
  return malformedStatement(`Line ${line}: ":${tag}:${(lines[0] ?? '').slice(0, 60)}" ${what}.`);
}
