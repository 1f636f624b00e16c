import type { IsoDate } from '../../../kernel/clock.js';
import { isCurrency } from '../../../kernel/currency.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { Money } from '../../../kernel/money.js';
import { type CsvHints, malformedBankRows, malformedStatement } from '../bank-statement.js';
import { headerName } from '../csv-columns.js';
import type { CsvRow } from '../csv-header.js';
import { readDate } from '../csv-values.js';
import { parseMinorUnits } from '../decimal-text.js';
import { LONGEST_PROVIDER_ID } from './payout-report.js';
import { BankRefusal } from '../refusals.js';

/** A balance transaction of Stripe's, as a row of the report tells it. */
export interface StripeRow {
  id: string;
  /** Stripe's word for what it is, such as `charge`. */
  category: string;
  gross: Money;
  fee: Money;
  net: Money;
  /** The payout that it is in; null where Stripe does not say, or not yet. */
  payoutId: string | null;
  /** The day on which that payout leaves Stripe's balance. */
  effectiveOn: IsoDate | null;
  sourceId: string | null;
  /** The PaymentIntent, by which our payments are known; else the charge. */
  chargedId: string | null;
  createdOn: IsoDate | null;
  availableOn: IsoDate | null;
}

/** All of these have to be there. */
const NEEDED = [
  'balance_transaction_id',
  'reporting_category',
  'currency',
  'gross',
  'fee',
  'net',
  'automatic_payout_id',
  'source_id',
] as const;
/** Days in UTC come first: the hours of another zone would make another day of midnight. */
const EFFECTIVE = ['automatic_payout_effective_at_utc', 'automatic_payout_effective_at'] as const;
const CREATED = ['created_utc', 'created'] as const;
const AVAILABLE = ['available_on_utc', 'available_on'] as const;
const OTHERS = ['payment_intent_id', 'charge_id'] as const;
const COLUMNS = [...NEEDED, ...EFFECTIVE, ...CREATED, ...AVAILABLE, ...OTHERS] as const;
type Column = (typeof COLUMNS)[number];

const LONGEST_CATEGORY = 60;

/** Stripe parts no thousands: the one sign in an amount is that before the fraction. */
const AMOUNT = /^(-?)(\d+)(?:[.,](\d+))?$/;

/** The rows of Stripe's report below its header, each checked by itself. */
export class StripeRows {
  private readonly errors: FieldError[] = [];
  private readonly places: ReadonlyMap<Column, number>;

  constructor(
    header: readonly string[],
    private readonly hints: CsvHints,
  ) {
    const names = header.map((cell) => headerName(cell).name);
    const isThere = (column: Column) => names.includes(column);
    const needed = [...NEEDED, EFFECTIVE.find(isThere) ?? EFFECTIVE[0]];
    const missing = needed.filter((column) => !isThere(column));
    if (missing.length > 0) {
      throw malformedStatement(
        `The report has no column ${missing.join(', ')}; add them to its columns at Stripe.`,
      );
    }
    const twice = COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice) throw malformedStatement(`The report has two columns ${twice}; leave one out.`);
    const found = COLUMNS.map((column): [Column, number] => [column, names.indexOf(column)]);
    this.places = new Map(found.filter(([, place]) => place >= 0));
  }

  /**
   * Each row once, also if it stands in the file again.
   * @throws DomainError `malformed_statement` with every wrong value, row by row
   */
  read(rows: readonly CsvRow[]): { rows: StripeRow[]; duplicates: number } {
    this.assertOneSign(rows);
    const seen = new Map<string, { line: number; text: string }>();
    const read: StripeRow[] = [];
    let duplicates = 0;
    for (const row of rows) {
      const id = this.idOf(row, 'balance_transaction_id');
      if (id === null) this.wrong(row, 'balance_transaction_id', 'is empty.');
      const before = id === null ? undefined : seen.get(id);
      const text = JSON.stringify(COLUMNS.map((column) => this.cell(row, column)));
      if (before?.text === text) {
        duplicates += 1;
        continue;
      }
      if (before) {
        this.wrong(
          row,
          'balance_transaction_id',
          `stands in line ${before.line}, with other values.`,
        );
        continue;
      }
      if (id !== null) seen.set(id, { line: row.line, text });
      const one = this.rowOf(row, id ?? '');
      if (one) read.push(one);
    }
    if (this.errors.length > 0) throw malformedBankRows(this.errors);
    return { rows: read, duplicates };
  }

  private rowOf(row: CsvRow, id: string): StripeRow | undefined {
    const currency = this.currencyOf(row);
    const category = this.cell(row, 'reporting_category').toLowerCase().slice(0, LONGEST_CATEGORY);
    if (category === '') this.wrong(row, 'reporting_category', 'is empty.');
    const payoutId = this.idOf(row, 'automatic_payout_id');
    const days = {
      effectiveOn: this.dayOf(row, EFFECTIVE),
      createdOn: this.dayOf(row, CREATED),
      availableOn: this.dayOf(row, AVAILABLE),
    };
    if (payoutId !== null && days.effectiveOn === null) {
      this.wrong(row, EFFECTIVE[0], 'is empty, though the row is in a payout.');
    }
    const ids = {
      payoutId,
      sourceId: this.idOf(row, 'source_id'),
      chargedId: this.idOf(row, 'payment_intent_id') ?? this.idOf(row, 'charge_id'),
    };
    const money = currency === undefined ? undefined : this.moneyIn(row, currency);
    return money && { id, category, ...ids, ...days, ...money };
  }

  private moneyIn(
    row: CsvRow,
    currency: string,
  ): Pick<StripeRow, 'gross' | 'fee' | 'net'> | undefined {
    const [gross, fee, net] = (['gross', 'fee', 'net'] as const).map((column) =>
      this.amountOf(row, column, currency),
    );
    if (!gross || !fee || !net) return undefined;
    if (gross.minus(fee).compare(net) === 0) return { gross, fee, net };
    this.wrong(row, 'net', `is ${net}, and not gross ${gross} less fee ${fee}.`);
    return undefined;
  }

  private cell({ cells }: CsvRow, column: Column): string {
    const place = this.places.get(column);
    return place === undefined ? '' : (cells[place] ?? '').trim();
  }

  private idOf(row: CsvRow, column: Column): string | null {
    const text = this.cell(row, column);
    if (text.length <= LONGEST_PROVIDER_ID) return text === '' ? null : text;
    this.wrong(row, column, `has more than ${LONGEST_PROVIDER_ID} characters.`);
    return null;
  }

  private dayOf(row: CsvRow, columns: readonly Column[]): IsoDate | null {
    const column = columns.find((one) => this.cell(row, one) !== '');
    if (!column) return null;
    const text = this.cell(row, column);
    const day = readDate(text, this.hints.dateFormat, null);
    if (day !== undefined) return day;
    this.wrong(
      row,
      column,
      `"${text.slice(0, 40)}" is no date that exists, as 2026-11-03 00:00:00.`,
    );
    return null;
  }

  private currencyOf(row: CsvRow): string | undefined {
    const text = this.cell(row, 'currency').toUpperCase();
    if (isCurrency(text)) return text;
    this.wrong(row, 'currency', `"${text.slice(0, 20)}" is no currency of ISO 4217.`);
    return undefined;
  }

  private amountOf(row: CsvRow, column: Column, currency: string): Money | undefined {
    const cell = this.cell(row, column);
    const [, minus, whole = '', fraction = ''] = AMOUNT.exec(cell) ?? [];
    const minor = parseMinorUnits(`${whole}.${fraction}`, currency);
    if (minor !== undefined && whole !== '') return Money.of(minus ? -minor : minor, currency);
    this.wrong(row, column, `"${cell.slice(0, 40)}" is no amount in ${currency}.`);
    return undefined;
  }

  private assertOneSign(rows: readonly CsvRow[]): void {
    const { decimal } = this.hints;
    const cells = rows.flatMap((row) =>
      (['gross', 'fee', 'net'] as const).map((column) => this.cell(row, column)),
    );
    const has = (sign: string) => cells.some((cell) => cell.includes(sign));
    if (decimal === null && !(has(',') && has('.'))) return;
    if (decimal !== null && !has(decimal === 'comma' ? '.' : ',')) return;
    throw malformedStatement(
      'Some amounts of the report have a decimal comma and some a decimal point, or another one ' +
        'than decimal says; export it again.',
    );
  }

  private wrong({ line }: CsvRow, column: Column, message: string): void {
    const said = `Line ${line}: ${column} ${message}`;
    this.errors.push(BankRefusal.malformed_statement.field(`/rows/${line}/${column}`, said));
  }
}
