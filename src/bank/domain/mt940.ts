import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import {
  type BankBalance,
  type BankStatementSection,
  malformedStatement,
  type ParsedBankStatement,
  type StatedBankEntry,
  tidyIban,
  tidyText,
} from './bank-statement.js';
import { parseMinorUnits, plainDecimal } from './decimal-text.js';
import { detailsOfMt940 } from './mt940-details.js';

/** A field of a message: `:61:2611181118C119,00NTRFNONREF`, and the line that it begins on. */
interface Field {
  tag: string;
  lines: string[];
  line: number;
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15},\d{0,3})$/;
/** Value date, entry date, mark, funds code, amount, type, and the references. */
const ENTRY =
  /^(\d{6})(\d{4})?(E?R?[CD])([A-Z])?(\d{1,15},\d{0,3})[NFS]([A-Z0-9]{3})([^/]{0,34})(?:\/\/(.{0,34}))?$/;

/**
 * Reads MT940 (SWIFT, Customer Statement Message), several messages of one file. All that it has
 * is booked, but for what is expected (`EC`, `ED`).
 * @throws DomainError `malformed_statement`
 */
export function readMt940(text: string): ParsedBankStatement {
  const sections: BankStatementSection[] = [];
  let pending = 0;
  for (const message of messagesIn(fieldsIn(text))) {
    const read = sectionOf(message);
    sections.push(read.section);
    pending += read.pending;
  }
  if (sections.length > 0) return { format: 'mt940', sections, pending, rejected: 0, unused: [] };
  throw malformedStatement('The file has no statement in it: no field :25: of MT940 was found.');
}

function fieldsIn(text: string): Field[] {
  const fields: Field[] = [];
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    // The text block of a message as SWIFT sends it.
    const start = whole.indexOf('{4:');
    const line = start < 0 ? whole : whole.slice(start + 3);
    if (line === '-' || line.startsWith('-}') || line.trim() === '') continue;
    const [, tag, rest = ''] = TAG.exec(line) ?? [];
    if (tag !== undefined) fields.push({ tag, lines: [rest], line: index + 1 });
    else fields.at(-1)?.lines.push(line);
  }
  return fields;
}

/** A message begins with its field 20. */
function messagesIn(fields: readonly Field[]): Field[][] {
  const messages: Field[][] = [];
  for (const field of fields) {
    const last = messages.at(-1);
    if (field.tag === '20' || !last) messages.push([field]);
    else last.push(field);
  }
  return messages.filter((message) => message.some(({ tag }) => tag === '25'));
}

function sectionOf(message: readonly Field[]): { section: BankStatementSection; pending: number } {
  const textOf = (...tags: string[]) => message.find(({ tag }) => tags.includes(tag));
  const opening = balanceOf(textOf('60F', '60M'));
  if (!opening) throw malformedStatement('A statement has no opening balance (:60F:).');
  const { currency } = opening.amount;
  const account = (textOf('25')?.lines[0] ?? '').trim();
  const entries = message.flatMap((field, index) => {
    if (field.tag !== '61') return [];
    const next = message[index + 1];
    return [entryOf(field, next?.tag === '86' ? next : undefined, currency)];
  });
  const section = {
    reference: tidyText(textOf('28C', '28')?.lines[0]),
    // `DE89370400440532013000EUR` of some banks, and `37040044/532013000` of others.
    account: tidyIban(account.replace(/[A-Z]{3}$/, '')) ?? tidyIban(account) ?? tidyText(account),
    currency,
    opening,
    closing: balanceOf(textOf('62F', '62M')),
    entries: entries.flatMap((entry) => entry ?? []),
  };
  return { section, pending: entries.filter((entry) => entry === null).length };
}

function balanceOf(field: Field | undefined): BankBalance | null {
  if (!field) return null;
  const [, mark, day = '', currency = '', figures = ''] =
    BALANCE.exec(field.lines[0]?.trim() ?? '') ?? [];
  const amount = amountIn(figures, currency);
  const date = dateIn(day);
  if (!amount || !date) throw wrong(field, 'is no balance, as C261118EUR1294,05');
  return { amount: mark === 'D' ? amount.negated() : amount, date };
}

/** Null for one that is only expected. */
function entryOf(field: Field, more: Field | undefined, currency: string): StatedBankEntry | null {
  const [first = '', ...supplement] = field.lines;
  const parts = ENTRY.exec(first.trim());
  if (!parts) throw wrong(field, 'is no entry, as 2611181118C119,00NTRFNONREF//REFERENCE');
  const [, valued = '', entered, mark = '', , figures = '', type = '', reference = '', own] = parts;
  const amount = amountIn(figures, currency);
  const valueOn = dateIn(valued);
  const bookedOn = valueOn && (entered ? nearest(valueOn, entered) : valueOn);
  if (!amount || !bookedOn) throw wrong(field, 'has a date or an amount that does not exist');
  if (mark.startsWith('E')) return null;
  const isReversal = mark.startsWith('R');
  // A reversed credit takes money away.
  const isCredit = mark.endsWith('C') !== isReversal;
  const details = detailsOfMt940(more?.lines ?? [], supplement.join(''));
  const isReturn = type === 'RTI' || details.isReturn;
  const fee = feeIn(details, amount, isCredit);
  return {
    direction: isCredit ? 'credit' : 'debit',
    isReversal,
    amount: fee ? (isCredit ? amount.plus(fee) : amount.minus(fee)) : amount,
    fee: fee ?? Money.zero(currency),
    bookedOn,
    valueOn,
    counterpartyName: tidyText(details.name),
    counterpartyIban: tidyIban(details.iban),
    remittance: tidyText(details.remittance, 2000),
    structuredReference: null,
    endToEndId: tidyText(details.endToEndId ?? customersOwn(reference)),
    bankReference: tidyText(own),
    transactionType: tidyText(details.type),
    returnReason: isReturn ? tidyText(details.returnReason ?? type) : null,
  };
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

function customersOwn(reference: string): string | null {
  const own = reference.trim();
  return own === '' || own === 'NONREF' ? null : own;
}

function amountIn(figures: string, currency: string): Money | undefined {
  if (!isCurrency(currency)) return undefined;
  const plain = plainDecimal(figures.trim(), ',');
  const minor = plain === undefined ? undefined : parseMinorUnits(plain, currency);
  return minor === undefined ? undefined : Money.of(minor, currency);
}

/** `261118`; files of the last century are none of ours. */
function dateIn(digits: string): IsoDate | undefined {
  const date = `20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`;
  return digits.length === 6 && isCalendarDate(date) ? date : undefined;
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

function wrong({ tag, line, lines }: Field, what: string): Error {
  return malformedStatement(`Line ${line}: ":${tag}:${(lines[0] ?? '').slice(0, 60)}" ${what}.`);
}
