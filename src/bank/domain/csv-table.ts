import type { IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import { tidyBankAccount, tidyIban, tidyText } from '../../kernel/tidy-text.js';
import {
  type CsvHints,
  type Direction,
  type StatedBankEntry,
  tidyReference,
} from './bank-statement.js';
import { CsvAmounts, type ReadAmount, writtenAmount } from './csv-amounts.js';
import { type CsvColumn } from './csv-columns.js';
import { statedDirection } from './csv-direction.js';
import type { CsvHeader, CsvRow } from './csv-header.js';
import { type DayOrder, dayOrderIn, isEitherOrder, readDate } from './csv-values.js';
import { statedState, type StatedState, unknownState } from './stated-state.js';
import { BankRefusal } from './refusals.js';

type Moved = Pick<StatedBankEntry, 'amount' | 'direction' | 'fee'>;
const AMOUNTS = ['amount', 'credit', 'debit', 'fee', 'net'] as const;

/** The rows below a header, read as the header says; `errors` has all that is wrong with them. */
export class CsvTable {
  readonly errors: FieldError[] = [];
  private readonly amounts: CsvAmounts;
  /** Columns in which some amount is below zero: one without a sign is above it. */
  private readonly hasMinus: Readonly<Record<'amount' | 'debit', boolean>>;
  private readonly dayOrder: DayOrder | null;
  /** Some amount says by itself whether it is a credit or a debit. */
  readonly isSigned: boolean;
  /** Some says that it is a credit: one that says nothing may be a debit. */
  private readonly hasPlus: boolean;

  constructor(
    private readonly header: CsvHeader,
    private readonly hints: CsvHints,
    private readonly bookedStates: readonly string[],
    rows: readonly CsvRow[],
  ) {
    this.amounts = CsvAmounts.of(this.cellsOf(rows, AMOUNTS), hints.decimal);
    const said = (column: 'amount' | 'debit') =>
      new Set(rows.map((row) => writtenAmount(this.cell(row, column)).says));
    const [amounts, debits] = [said('amount'), said('debit')];
    this.hasPlus = amounts.has('credit');
    this.hasMinus = { amount: amounts.has('debit'), debit: debits.has('debit') };
    this.isSigned = this.hasPlus || this.hasMinus.amount;
    const isKnown = header.layout?.dayFirst && hints.dateFormat === null;
    const dates = () => [...this.cellsOf(rows, ['booked_on', 'value_on'])];
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
    return tidyBankAccount(text) ?? this.hints.account ?? this.header.account;
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
    return this.moneyIn(this.cell(row, 'balance'), currency);
  }

  /** The signed amount of a cell in any column; null where none can be read. */
  moneyIn(cell: string, currency: string): Money | null {
    const read = this.amounts.read(cell, currency);
    return read === undefined || read === 'either' ? null : signedOf(read);
  }

  /** It moves nothing, whatever else it tells. */
  hasAmount(row: CsvRow): boolean {
    return AMOUNTS.some((column) => this.cell(row, column) !== '');
  }

  isDated(row: CsvRow): boolean {
    const text = this.cell(row, 'booked_on');
    return /^\d/.test(text) || readDate(text, this.hints.dateFormat, this.dayOrder) !== undefined;
  }

  private *cellsOf(rows: readonly CsvRow[], columns: readonly CsvColumn[]): Iterable<string> {
    for (const row of rows) for (const column of columns) yield this.cell(row, column);
  }

  private cell({ cells }: CsvRow, column: CsvColumn): string {
    const places = this.header.at.get(column) ?? [];
    const [only = -1] = places;
    if (places.length <= 1) return (cells[only] ?? '').trim();
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
    this.errors.push(BankRefusal.malformed_statement.field(pointer, `Line ${line}: ${message}`));
  }

  private currencyOf(row: CsvRow): string | undefined {
    const cell = this.cell(row, 'currency');
    // Stripe writes `eur`.
    const code = /^[a-z]{3}$/.test(cell) ? cell.toUpperCase() : cell;
    const text = code || this.header.currency || this.hints.currency || this.currencyWritten(row);
    if (text && isCurrency(text)) return text;
    return this.wrong(
      row,
      'currency',
      text
        ? `"${text.slice(0, 20)}" is no currency of ISO 4217.`
        : 'no column says the currency; send it, as in ?currency=EUR.',
    );
  }

  /** By a sign in an amount that stands for one currency only. */
  private currencyWritten(row: CsvRow): string | null {
    const written = AMOUNTS.map((column) => writtenAmount(this.cell(row, column)).currencies);
    const [only = null, ...others] = written.find((one) => one !== null) ?? [];
    return others.length === 0 ? only : null;
  }

  private dateOf(row: CsvRow, column: 'booked_on' | 'value_on'): IsoDate | undefined {
    const text = this.cell(row, column);
    const date = readDate(text, this.hints.dateFormat, this.dayOrder);
    if (date !== undefined) return date;
    const isOpen = isEitherOrder(text) && this.hints.dateFormat === null;
    const said = text.slice(0, 40);
    return this.wrong(
      row,
      column,
      isOpen && this.dayOrder === null
        ? `"${said}" may be read in two ways; send date_format, as dd/mm/yyyy or mm/dd/yyyy.`
        : `"${said}" is no date that exists, as 2026-11-03 or 03.11.2026, or needs date_format.`,
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
    const { amount } = signed;
    const { unsigned } = this.hints;
    const written =
      signed.says ?? unsigned ?? (this.hasMinus.amount && !amount.isZero() ? 'credit' : null);
    const { at } = this.header;
    if (at.has('direction')) return this.agreed(row, amount, written, this.directionOf(row));
    if (!at.has('credit') && !at.has('debit')) {
      if (signed.says !== null || this.hints.unsigned || !this.hasPlus || amount.isZero()) {
        return { amount, direction: written ?? 'credit' };
      }
      return this.wrong(
        row,
        'amount',
        'others of the file say that they are credits, and this amount says nothing; ' +
          'send unsigned_amounts, credit or debit.',
      );
    }
    const apart = this.apartFrom(row, amount, currency);
    return apart && this.agreed(row, amount, written, apart);
  }

  /** The sign of the amount and the column beside it say the same, or nobody knows which is right. */
  private agreed(
    row: CsvRow,
    amount: Money,
    written: Direction | null,
    direction: Direction | undefined,
  ): Omit<Moved, 'fee'> | undefined {
    if (direction === undefined) return undefined;
    if (written === null || written === direction || amount.isZero()) return { amount, direction };
    return this.wrong(
      row,
      'direction',
      `the amount is a ${written} by its sign, and a ${direction} by the column beside it; ` +
        'send ignore_columns with the header of the one that is not meant.',
    );
  }

  /** The direction by the columns of credits and debits, where an amount stands in one of its own, too. */
  private apartFrom(row: CsvRow, amount: Money, currency: string): Direction | undefined {
    const { at } = this.header;
    if (amount.isZero()) return 'credit';
    const read = (['credit', 'debit'] as const).flatMap((direction) => {
      if (this.cell(row, direction) === '') return [];
      const one = this.amountOf(row, direction, currency);
      return one?.amount.isZero() ? [] : [{ direction, one }];
    });
    const [only, ...others] = read;
    const missing = at.has('credit') ? 'debit' : 'credit';
    if (!only && !(at.has('credit') && at.has('debit'))) return missing;
    if (only && others.length === 0 && only.one?.amount.compare(amount) === 0)
      return only.direction;
    return this.wrong(
      row,
      'amount',
      'the amount is not that of the columns for credits and debits; send ignore_columns with ' +
        'the headers of those that are not meant.',
    );
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
    if (direction === 'credit' && credit?.says === 'debit') {
      return this.wrong(row, 'credit', 'a credit is not below zero.');
    }
    if (direction === 'debit' && (this.hasMinus.debit ? !debit?.says : debit?.says === 'credit')) {
      return this.wrong(row, 'debit', 'a debit is above zero, where others of the file are below.');
    }
    if (!this.header.at.has('direction')) return { amount, direction };
    return this.agreed(row, amount, direction, this.directionOf(row));
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
      return { ...moved, fee: gross.minus(signedOf(net)) };
    }
    if (!fee || fee.amount.isZero()) return moved;
    if (!this.header.layout?.feeInside) {
      return { ...moved, fee: signedOf(fee) };
    }
    if (moved.direction === 'credit') {
      return { ...moved, amount: moved.amount.plus(fee.amount), fee: fee.amount };
    }
    // A row of the fee itself is a debit without a payee.
    if (moved.amount.compare(fee.amount) <= 0) return moved;
    return { ...moved, amount: moved.amount.minus(fee.amount), fee: fee.amount };
  }

  private directionOf(row: CsvRow): Direction | undefined {
    const text = this.cell(row, 'direction');
    const direction = statedDirection(text, this.hints.words);
    if (direction) return direction;
    return this.wrong(
      row,
      'direction',
      `"${text.slice(0, 20)}" is neither credit nor debit; send credit_words or debit_words with it.`,
    );
  }

  private amountOf(
    row: CsvRow,
    column: (typeof AMOUNTS)[number],
    currency: string,
  ): ReadAmount | undefined {
    const cell = this.cell(row, column);
    const read = this.amounts.read(cell, currency);
    if (read !== 'either') {
      return read ?? this.wrong(row, column, `"${cell.slice(0, 40)}" is no amount in ${currency}.`);
    }
    return this.wrong(
      row,
      column,
      `"${cell.slice(0, 40)}" may be read in two ways; send decimal, comma or point.`,
    );
  }
}

const signedOf = ({ amount, says }: ReadAmount) => (says === 'debit' ? amount.negated() : amount);
