import type { IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import {
  type CsvHints,
  malformedStatement,
  type StatedBankEntry,
  tidyIban,
  tidyReference,
  tidyText,
} from './bank-statement.js';
import { type CsvColumn } from './csv-columns.js';
import type { CsvHeader, CsvRow } from './csv-header.js';
import { type DayOrder, dayOrderIn, isEitherOrder, readDate, withoutSign } from './csv-values.js';
import { type DecimalSign, decimalSignIn, parseMinorUnits, plainDecimal } from './decimal-text.js';
import { statedState, type StatedState, unknownState } from './stated-state.js';

type Moved = Pick<StatedBankEntry, 'amount' | 'direction' | 'fee'>;
type AmountColumn = 'amount' | 'credit' | 'debit' | 'fee' | 'net';

/** The rows below a header, read as the header says; `errors` has all that is wrong with them. */
export class CsvTable {
  readonly errors: FieldError[] = [];
  private readonly sign: DecimalSign | 'either' | 'none';
  private readonly dayOrder: DayOrder | null;

  constructor(
    private readonly header: CsvHeader,
    private readonly hints: CsvHints,
    private readonly bookedStates: readonly string[],
    rows: readonly CsvRow[],
  ) {
    this.sign = this.decimalSign(rows);
    const isKnown = header.layout?.dayFirst && hints.dateFormat === null;
    const dates = () => rows.map((row) => this.cell(row, 'booked_on'));
    this.dayOrder = isKnown ? 'day first' : dayOrderIn(dates());
  }

  /** Undefined where nobody knows, which `errors` then says: a row is never booked by default. */
  stateOf(row: CsvRow): StatedState | undefined {
    const { at, layout } = this.header;
    const said = (at.get('status') ?? []).map((place) => (row.cells[place] ?? '').trim());
    const filled = said.filter((word) => word !== '');
    const words = filled.length > 0 ? filled : said.slice(0, 1);
    const states = words.map((word) => statedState(word, this.bookedStates, layout?.states));
    const kept =
      states.find((state) => state === 'rejected') ?? states.find((one) => one === 'pending');
    if (kept) return kept;
    const unknown = states.indexOf(undefined);
    if (unknown >= 0) return this.wrong(row, 'status', unknownState(words[unknown] ?? ''));
    const isUndated = layout?.undatedIsPending && this.cell(row, 'booked_on') === '';
    return isUndated ? 'pending' : 'booked';
  }

  accountOf(row: CsvRow): string | null {
    const text = this.cell(row, 'account');
    return tidyIban(text) ?? tidyText(text) ?? this.hints.account ?? this.header.account;
  }

  /** Undefined where something is wrong with it. */
  read(row: CsvRow): StatedBankEntry | undefined {
    const before = this.errors.length;
    const currency = this.currencyOf(row);
    const bookedOn = this.dateOf(row, 'booked_on');
    const valueOn = this.cell(row, 'value_on') === '' ? null : this.dateOf(row, 'value_on');
    const moved = currency === undefined ? undefined : this.movedIn(row, currency);
    if (this.errors.length > before || !moved || bookedOn === undefined) return undefined;
    return {
      ...moved,
      isReversal: false,
      bookedOn,
      valueOn: valueOn ?? null,
      counterpartyName: tidyText(this.nameIn(row, moved)),
      counterpartyIban: tidyIban(this.cell(row, 'counterparty_iban')),
      remittance: tidyText(this.cell(row, 'remittance'), 2000),
      structuredReference: tidyReference(this.cell(row, 'structured_reference')),
      endToEndId: tidyReference(this.cell(row, 'end_to_end_id')),
      bankReference: tidyReference(this.cell(row, 'bank_reference')),
      transactionType: tidyText(this.cell(row, 'transaction_type')),
      returnReason: null,
    };
  }

  /** The balance after an entry; null where none can be read. It is nothing to refuse a file for. */
  balanceAfter(row: CsvRow, { amount: { currency } }: StatedBankEntry): Money | null {
    const { text, isNegative } = withoutSign(this.cell(row, 'balance'), currency);
    const sign = this.sign === ',' ? ',' : '.';
    const plain = this.sign === 'either' ? undefined : plainDecimal(text, sign);
    const minor = plain === undefined ? undefined : parseMinorUnits(plain, currency);
    return minor === undefined ? null : Money.of(isNegative ? -minor : minor, currency);
  }

  private cell({ cells }: CsvRow, column: CsvColumn): string {
    const places = this.header.at.get(column) ?? [];
    return places
      .map((place) => (cells[place] ?? '').trim())
      .filter((cell) => cell !== '')
      .join(' ');
  }

  /** The other side. It is the payer of a credit where a file names both. */
  private nameIn(row: CsvRow, { direction }: Moved): string {
    const name = this.cell(row, 'counterparty_name');
    if (name !== '') return name;
    const [payer, payee] = (['payer_name', 'payee_name'] as const).map((column) =>
      this.header.at.has(column) ? this.cell(row, column) : undefined,
    );
    return (direction === 'credit' ? payer : payee) ?? payer ?? payee ?? '';
  }

  private wrong({ line }: CsvRow, column: CsvColumn, message: string): undefined {
    const pointer = `/rows/${line}/${column}`;
    this.errors.push({ pointer, code: 'malformed_statement', message: `Line ${line}: ${message}` });
  }

  private currencyOf(row: CsvRow): string | undefined {
    const cell = this.cell(row, 'currency');
    // Stripe writes `eur`.
    const code = /^[a-z]{3}$/.test(cell) ? cell.toUpperCase() : cell;
    const text = code || this.header.currency || this.hints.currency;
    if (text && isCurrency(text)) return text;
    return this.wrong(
      row,
      'currency',
      text
        ? `"${text.slice(0, 20)}" is no currency of ISO 4217.`
        : 'no column says the currency; send it, as in ?currency=EUR.',
    );
  }

  private dateOf(row: CsvRow, column: 'booked_on' | 'value_on'): IsoDate | undefined {
    const text = this.cell(row, column);
    const date = readDate(text, this.hints.dateFormat, this.dayOrder);
    if (date !== undefined) return date;
    const isOpen = isEitherOrder(text) && this.hints.dateFormat === null && this.dayOrder === null;
    const forms = text.includes('/') ? 'dd/mm/yyyy or mm/dd/yyyy' : 'dd-mm-yyyy or mm-dd-yyyy';
    return this.wrong(
      row,
      column,
      isOpen
        ? `"${text}" may be read in two ways; send date_format, ${forms}.`
        : `"${text.slice(0, 40)}" is no date that exists, as 2026-11-03 or 03.11.2026.`,
    );
  }

  private movedIn(row: CsvRow, currency: string): Moved | undefined {
    const moved = this.header.at.has('amount')
      ? this.signedIn(row, currency)
      : this.columnIn(row, currency);
    return moved && this.withFee(row, { ...moved, fee: Money.zero(currency) });
  }

  private signedIn(row: CsvRow, currency: string): Omit<Moved, 'fee'> | undefined {
    const signed = this.amountOf(row, 'amount', currency);
    if (!signed) return undefined;
    const direction = this.directionOf(row, signed.isNegative);
    return direction && { amount: signed.amount, direction };
  }

  private columnIn(row: CsvRow, currency: string): Omit<Moved, 'fee'> | undefined {
    const [credit, debit] = (['credit', 'debit'] as const).map((column) =>
      this.cell(row, column) === '' ? null : this.amountOf(row, column, currency),
    );
    if (credit === undefined || debit === undefined) return undefined;
    const filled = [
      ...(credit && !credit.amount.isZero() ? (['credit'] as const) : []),
      ...(debit && !debit.amount.isZero() ? (['debit'] as const) : []),
    ];
    const [direction] = filled;
    if (filled.length !== 1 || direction === undefined) {
      return this.wrong(row, 'credit', 'exactly one of credit and debit must have an amount.');
    }
    const amount = (direction === 'credit' ? credit : debit)?.amount ?? Money.zero(currency);
    if (direction === 'credit' && credit?.isNegative) {
      return this.wrong(row, 'credit', 'a credit is not below zero.');
    }
    return { amount, direction };
  }

  /** The fee beside the amount: the net amount tells, or the layout does. */
  private withFee(row: CsvRow, moved: Moved): Moved | undefined {
    const { currency } = moved.amount;
    const [net, fee] = (['net', 'fee'] as const).map((column) =>
      this.cell(row, column) === '' ? null : this.amountOf(row, column, currency),
    );
    if (net === undefined || fee === undefined) return undefined;
    const gross = moved.direction === 'credit' ? moved.amount : moved.amount.negated();
    if (net) {
      return { ...moved, fee: gross.minus(net.isNegative ? net.amount.negated() : net.amount) };
    }
    if (!fee || fee.amount.isZero()) return moved;
    if (!this.header.layout?.feeInside) {
      return { ...moved, fee: fee.isNegative ? fee.amount.negated() : fee.amount };
    }
    if (moved.direction === 'credit') {
      return { ...moved, amount: moved.amount.plus(fee.amount), fee: fee.amount };
    }
    // A row of the fee itself is a debit without a payee.
    if (moved.amount.compare(fee.amount) <= 0) return moved;
    return { ...moved, amount: moved.amount.minus(fee.amount), fee: fee.amount };
  }

  private directionOf(row: CsvRow, isNegative: boolean): StatedBankEntry['direction'] | undefined {
    if (!this.header.at.has('direction')) return isNegative ? 'debit' : 'credit';
    const text = this.cell(row, 'direction');
    const isCredit = /^(c|cr|crdt|credit|h|haben|bij|\+)$/i.test(text);
    if (!isCredit && !/^(d|dr|dbit|debit|s|soll|af|-)$/i.test(text)) {
      return this.wrong(row, 'direction', `"${text.slice(0, 20)}" is neither credit nor debit.`);
    }
    if (isCredit && isNegative) {
      return this.wrong(row, 'direction', 'a credit has an amount below zero.');
    }
    return isCredit ? 'credit' : 'debit';
  }

  private amountOf(
    row: CsvRow,
    column: AmountColumn,
    currency: string,
  ): { amount: Money; isNegative: boolean } | undefined {
    const cell = this.cell(row, column);
    const { text, isNegative } = withoutSign(cell, currency);
    const sign = this.sign === 'none' ? '.' : this.sign;
    if (sign === 'either' && decimalSignIn(text) === 'either') {
      return this.wrong(
        row,
        column,
        `"${cell.slice(0, 40)}" may be read in two ways; send decimal, comma or point.`,
      );
    }
    const plain = plainDecimal(text, sign === 'either' ? '.' : sign);
    const minor = plain === undefined ? undefined : parseMinorUnits(plain, currency);
    if (minor !== undefined) return { amount: Money.of(minor, currency), isNegative };
    return this.wrong(row, column, `"${cell.slice(0, 40)}" is no amount in ${currency}.`);
  }

  /** One sign in all of the file, by those of its amounts that can be read in one way only. */
  private decimalSign(rows: readonly CsvRow[]): DecimalSign | 'either' | 'none' {
    if (this.hints.decimal) return this.hints.decimal === 'comma' ? ',' : '.';
    const found = new Set<string>();
    for (const row of rows) {
      for (const column of ['amount', 'credit', 'debit', 'fee', 'net'] as const) {
        const { text } = withoutSign(this.cell(row, column), '');
        found.add(decimalSignIn(text) ?? 'none');
      }
    }
    if (found.has(',') && found.has('.')) {
      throw malformedStatement(
        'Some amounts of the file have a decimal comma and some a decimal point; send decimal.',
      );
    }
    if (found.has(',')) return ',';
    if (found.has('.')) return '.';
    return found.has('either') ? 'either' : 'none';
  }
}
