import type { IsoDate } from '../../kernel/clock.js';
import { magnitudeOf } from '../../kernel/decimal.js';
import { minorNumber, Money } from '../../kernel/money.js';
import { CurrencySums } from './migration-plan.js';
import type {
  GivenTax,
  LeftOutRow,
  MigrationPlan,
  PlannedCredit,
  PlannedInvoice,
  PlannedRow,
  RowSubject,
} from './migration-plan.js';
import { type PatientService, rowRefusal } from './patient-service.js';

/** In minor units: a table tells several lines as one. */
const LEAST_ROUNDING = 5;
/** Rows on their way at the same time. */
const AT_ONCE = 4;

interface TakeoverTerms {
  /** Nothing is written without it. */
  write: boolean;
  /** The first day that is this service's. */
  cutOver: IsoDate;
  /** An instant of the day before. */
  settledAt: string;
  title: string;
}

interface RowCounts {
  made: number;
  /** Of an earlier run. */
  known: number;
}

interface Identified {
  id: string;
}

interface MadeDocument extends Identified {
  total: number;
}

/** Takes a plan over, each row once, however often it is run. */
export class Takeover {
  readonly counts: Record<'customers' | 'items' | 'invoices' | 'credits', RowCounts> = {
    customers: { made: 0, known: 0 },
    items: { made: 0, known: 0 },
    invoices: { made: 0, known: 0 },
    credits: { made: 0, known: 0 },
  };
  readonly leftOut: LeftOutRow[] = [];
  /** Sums of the rows that can be taken, as the plan has them. */
  readonly planned = { open: new CurrencySums(), credit: new CurrencySums() };
  /** Ids of the service. Of a customer that is only planned: empty. */
  readonly customers = new Map<string, string>();
  readonly documents = new Set<string>();

  constructor(
    private readonly service: PatientService,
    private readonly plan: MigrationPlan,
    private readonly terms: TakeoverTerms,
  ) {}

  async run(): Promise<void> {
    const { customers, items, invoices, credits } = this.plan;
    await this.each('customer', customers.values(), (row) => this.takeCustomer(row));
    await this.each('item', items.values(), (row) => this.takeItem(row));
    await this.each('invoice', invoices.values(), (row) => this.takeInvoice(row));
    await this.each('credit', credits.values(), (row) => this.takeCredit(row));
  }

  private async each<Row extends PlannedRow>(
    subject: RowSubject,
    rows: Iterable<Row>,
    take: (row: Row) => Promise<void>,
  ): Promise<void> {
    const left = rows[Symbol.iterator]();
    const failures: unknown[] = [];
    const one = async () => {
      for (let next = left.next(); !next.done; next = left.next()) {
        const { place, externalId } = next.value;
        try {
          await take(next.value);
        } catch (error) {
          const reason = error instanceof NotTaken ? error.message : rowRefusal(error);
          if (reason !== null) this.leftOut.push({ subject, place, id: externalId, reason });
          else failures.push(error);
        }
        if (failures.length > 0) return;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    if (failures.length > 0) throw failures[0];
  }

  private count(of: keyof Takeover['counts'], isKnown: boolean): void {
    this.counts[of][isKnown ? 'known' : 'made'] += 1;
  }

  private async takeCustomer({ externalId, body }: PlannedRow): Promise<void> {
    const path = `/v1/finance/customers/by-external-id/${encodeURIComponent(externalId)}`;
    const known = await this.service.find<Identified>(path);
    // Somebody may have changed it since: what is there stays.
    const there =
      known ?? (this.terms.write ? await this.service.ask<Identified>('PUT', path, body) : null);
    this.customers.set(externalId, there?.id ?? '');
    this.count('customers', known !== null);
  }

  private async takeItem({ externalId, body }: PlannedRow): Promise<void> {
    const query = { external_id: externalId, archived: 'all' };
    const path = '/v1/finance/items';
    const isKnown = !(await this.service.all(path, query).next()).done;
    if (!isKnown && this.terms.write) {
      const item = { ...body, external_id: externalId };
      await this.service.ask('POST', path, item, `item ${externalId}`);
    }
    this.count('items', isKnown);
  }

  /** @returns the id of the customer; empty where it is only planned */
  private customerOf({ customer }: { customer: string }): string {
    const id = this.customers.get(customer);
    if (id !== undefined) return id;
    throw new NotTaken(
      this.plan.customers.has(customer)
        ? `its customer ${customer} was left out`
        : `its customer ${customer} is not in the export`,
    );
  }

  private async takeInvoice(invoice: PlannedInvoice): Promise<void> {
    const { externalId, currency, total, open, issueDate } = invoice;
    const customer_id = this.customerOf(invoice);
    if (issueDate >= this.terms.cutOver) {
      throw new NotTaken(`it is of ${issueDate}, not before the cut-over`);
    }
    if (open < 0n || open > total) {
      throw new NotTaken(`${told(open, currency)} are open of ${told(total, currency)}`);
    }
    const path = `/v1/finance/documents/by-external-id/${encodeURIComponent(externalId)}`;
    const known = await this.service.find<MadeDocument>(path);
    if (known && BigInt(known.total) !== total) {
      throw new NotTaken(`it is here with the total ${told(BigInt(known.total), currency)}`);
    }
    const request = known ? null : await this.priced(invoice);
    if (request && this.terms.write) {
      const body = { ...request, customer_id, issue: true };
      const made = await this.service.ask<MadeDocument>(
        'POST',
        '/v1/finance/documents',
        body,
        `document ${externalId}`,
      );
      this.documents.add(made.id);
      await this.settle(invoice, made.id, false);
    } else if (known) {
      this.documents.add(known.id);
      if (this.terms.write) await this.settle(invoice, known.id, true);
    }
    this.planned.open.add(currency, open);
    this.count('invoices', known !== null);
  }

  /** The invoice as a request that comes to the total of the export. Given taxes are said where they differ. */
  private async priced(invoice: PlannedInvoice): Promise<object> {
    const { externalId, number, issueDate, currency, total, taxes, body } = invoice;
    const plain = {
      ...body,
      external_id: externalId,
      number,
      issue_date: issueDate,
      currency,
      cash_discounts: [],
    };
    const computed = await this.totalsOf(plain);
    const tax = taxes?.reduce((sum, one) => sum + one.tax_amount, 0n);
    if (computed.total === total && (tax === undefined || computed.tax === tax)) return plain;
    if (taxes && tax !== undefined && isRounding(computed.tax - tax, body)) {
      const given = { ...plain, issued_taxes: taxes.map(presentGivenTax) };
      if ((await this.totalsOf(given)).total === total) return given;
    }
    throw new NotTaken(
      `it says ${told(total, currency)}, and its lines come to ${told(computed.total, currency)}`,
    );
  }

  private async totalsOf(request: object): Promise<{ total: bigint; tax: bigint }> {
    const path = '/v1/finance/documents/preview';
    const asked = { ...request, issue: true };
    const { total, tax_total } = await this.service.ask<{ total: number; tax_total: number }>(
      'POST',
      path,
      asked,
    );
    return { total: BigInt(total), tax: BigInt(tax_total) };
  }

  /** The part that is not open any more was settled before, whichever way. */
  private async settle(
    { externalId, total, open }: PlannedInvoice,
    document: string,
    mayBeSettled: boolean,
  ): Promise<void> {
    if (open === total) return;
    const path = `/v1/finance/documents/${document}/payments`;
    if (mayBeSettled) {
      const { data } = await this.service.ask<{ data: MarkedPayment[] }>('GET', path);
      if (data.some((payment) => payment.metadata['migrated'] === externalId)) return;
    }
    const body = {
      ...this.money(externalId, total - open),
      note: `Settled at ${this.terms.title} before ${this.terms.cutOver}`,
    };
    await this.service.ask('POST', path, body, `settled ${externalId}`);
  }

  private async takeCredit(credit: PlannedCredit): Promise<void> {
    const { externalId, currency, amount, body } = credit;
    const customer_id = this.customerOf(credit);
    if (amount <= 0n) throw new NotTaken(`${told(amount, currency)} is no credit`);
    const isKnown = customer_id !== '' && (await this.hasPayment(customer_id, externalId));
    if (!isKnown && this.terms.write) {
      const money = { ...this.money(externalId, amount), ...body, customer_id, currency };
      await this.service.ask('POST', '/v1/finance/payments', money, `credit ${externalId}`);
    }
    this.planned.credit.add(currency, amount);
    this.count('credits', isKnown);
  }

  private async hasPayment(customer_id: string, externalId: string): Promise<boolean> {
    const query = { customer_id, method: 'other' };
    for await (const payment of this.service.all<MarkedPayment>('/v1/finance/payments', query)) {
      if (payment.metadata['migrated'] === externalId) return true;
    }
    return false;
  }

  private money(externalId: string, amount: bigint): object {
    const { settledAt: paid_at } = this.terms;
    const metadata = { migrated: externalId };
    return { amount: minorNumber(amount), method: 'other', paid_at, metadata };
  }
}

interface MarkedPayment {
  metadata: Record<string, string>;
}

/** A row that the plan does not let be taken. */
class NotTaken extends Error {}

/** Tax by line differs from tax by rate by a unit for each line at most; more than that is another tax. */
function isRounding(difference: bigint, body: Record<string, unknown>): boolean {
  const { lines } = body;
  const most = Math.max(LEAST_ROUNDING, Array.isArray(lines) ? lines.length : 0);
  return magnitudeOf(difference) <= BigInt(most);
}

const told = (amount: bigint, currency: string) => Money.of(amount, currency).toString();

const presentGivenTax = ({ tax_amount, ...tax }: GivenTax) => ({
  ...tax,
  tax_amount: minorNumber(tax_amount),
});
