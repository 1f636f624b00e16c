import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { type ExportRow, UnreadableRow } from './export-rows.js';

/** A place in an export; `at` tells elements of one line apart. */
export interface ExportPlace {
  file: string;
  line: number;
  at?: string | undefined;
}

export const placeText = ({ file, line, at }: ExportPlace): string =>
  `${file}:${line}${at === undefined ? '' : ` ${at}`}`;

export interface PlannedRow {
  /** The system's own id, behind the name of the system: by it a row is known again. */
  externalId: string;
  place: ExportPlace;
  /** As the API takes it. */
  body: Record<string, unknown>;
}

/** Of one group of lines, as `issued_taxes` takes it. */
export interface GivenTax {
  tax_rate: string;
  tax_category?: string | undefined;
  tax_amount: bigint;
}

export interface PlannedInvoice extends PlannedRow {
  customer: string;
  number: string;
  issueDate: IsoDate;
  currency: Currency;
  total: bigint;
  /** Still owed; the rest was settled there. */
  open: bigint;
  /** Null: the export says no tax of a group. */
  taxes: GivenTax[] | null;
}

export interface PlannedCredit extends PlannedRow {
  customer: string;
  currency: Currency;
  amount: bigint;
}

export type TakeRow = (row: ExportRow, place: ExportPlace) => void;

export type RowSubject = 'customer' | 'item' | 'invoice' | 'credit' | 'file';

export interface LeftOutRow {
  place: ExportPlace;
  subject: RowSubject;
  id: string;
  reason: string;
}

/** Amounts by currency. */
export class CurrencySums {
  private readonly sums = new Map<Currency, bigint>();

  add(currency: Currency, amount: bigint): void {
    this.sums.set(currency, this.of(currency) + amount);
  }

  of(currency: Currency): bigint {
    return this.sums.get(currency) ?? 0n;
  }

  get all(): [Currency, bigint][] {
    return [...this.sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}

interface Loss {
  what: string;
  count: number;
  sums: CurrencySums;
}

/** A plan is in memory, unlike the export. */
const MOST_PLANNED = 200_000;
/** More than these are no broken rows, but the wrong form. */
const MOST_LEFT_OUT = 10_000;

/** All that an export has: what is taken over, what cannot be, and what has no place here. */
export class MigrationPlan {
  readonly customers = new Map<string, PlannedRow>();
  readonly items = new Map<string, PlannedRow>();
  readonly invoices = new Map<string, PlannedInvoice>();
  readonly credits = new Map<string, PlannedCredit>();
  readonly leftOut: LeftOutRow[] = [];
  /** Of the export, also of rows that are left out. */
  readonly exported = { open: new CurrencySums(), credit: new CurrencySums() };
  private readonly lossesByName = new Map<string, Loss>();

  constructor(private readonly system: string) {}

  idOf(id: string): string {
    return `${this.system}:${id}`;
  }

  /** Takes one row. One that cannot be read is left out, and the others go on. */
  read(subject: RowSubject, place: ExportPlace, read: () => ExportRow, take: TakeRow): void {
    let row: ExportRow | null = null;
    try {
      row = read();
      take(row, place);
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error;
      this.leaveOut(subject, place, nameOfRow(row), error.message);
    }
  }

  leaveOut(subject: RowSubject, place: ExportPlace, id: string, reason: string): void {
    if (this.leftOut.length >= MOST_LEFT_OUT) {
      throw new Error(`More than ${MOST_LEFT_OUT} rows cannot be read, at last: ${reason}.`);
    }
    this.leftOut.push({ subject, place, id, reason });
  }

  /** It has no place here; `what` says what it is. */
  lose(what: string, currency?: Currency, amount = 0n, count = 1): void {
    const loss = this.lossesByName.get(what) ?? { what, count: 0, sums: new CurrencySums() };
    loss.count += count;
    if (currency) loss.sums.add(currency, amount);
    this.lossesByName.set(what, loss);
  }

  get losses(): Loss[] {
    return [...this.lossesByName.values()].toSorted((one, other) =>
      one.what < other.what ? -1 : 1,
    );
  }

  /** @throws UnreadableRow as `take` */
  takeCredit(credit: PlannedCredit): void {
    this.exported.credit.add(credit.currency, credit.amount);
    this.take(this.credits, credit);
  }

  /** @throws UnreadableRow for an id that stands twice */
  take<Row extends PlannedRow>(rows: Map<string, Row>, row: Row): void {
    const first = rows.get(row.externalId);
    if (first) {
      throw new UnreadableRow(`its id stands twice, first at ${placeText(first.place)}`);
    }
    const { customers, items, invoices, credits } = this;
    if (customers.size + items.size + invoices.size + credits.size >= MOST_PLANNED) {
      throw new Error(`An export may bring ${MOST_PLANNED} rows at once; split it.`);
    }
    rows.set(row.externalId, row);
  }
}

function nameOfRow(row: ExportRow | null): string {
  try {
    return row?.text('number', 'id', 'hashed_id', 'name', 'price id') ?? '';
  } catch {
    return '';
  }
}
