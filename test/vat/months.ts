import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { addDays } from '../../src/kernel/clock.js';
import type { Chance } from '../../src/testing/chance.js';
import type { TestClient } from '../support/client.js';
import type { Answer } from '../support/http.js';

/*
 * Some months of a seller, by chance: what is asked for, paid, discounted, lost, claimed, credited, given back and
 * moved, through the API alone. A refused step changes nothing.
 */

export const NOW = '2026-11-25T12:00:00Z';
export const FIRST_DAY = '2026-08-01';
export const LAST_DAY = '2026-11-25';
const DAYS = 116;
export const CURRENCIES = ['EUR', 'USD', 'JPY'] as const;

type Path = `/${string}`;

/** Buyers, each with the taxes that they can have. */
const BUYERS = [
  { customer: { name: 'Müller', country: 'DE' }, taxes: [S('19'), S('7'), { tax_category: 'AE' }] },
  { customer: { name: 'Rossi', country: 'IT' }, taxes: [S('22'), S('10'), S('19')] },
  {
    customer: { name: 'Société', country: 'FR', tax_id: 'FR12345678901' },
    taxes: [{ tax_category: 'K' }],
  },
  { customer: { name: 'Zürcher', country: 'CH' }, taxes: [{ tax_category: 'G' }, S('19')] },
];

function S(tax_rate: string) {
  return { tax_category: 'S', tax_rate };
}

const STEPS = [
  ['issue', 26],
  ['pay', 24],
  ['pay in another currency', 4],
  ['write off', 8],
  ['claim', 4],
  ['take a write-off back', 3],
  ['credit', 11],
  ['void', 3],
  ['refund', 8],
  ['reverse', 4],
  ['move', 4],
  ['close a month', 1],
] as const;
export type StepName = (typeof STEPS)[number][0];
const DRAWN = STEPS.flatMap(([name, often]) => Array.from({ length: often }, () => name));

/** A seller whose months come by chance. */
export class Months {
  readonly done = new Map<StepName, number>();
  private readonly customers: string[] = [];
  private readonly documents: DocumentBody[] = [];
  private readonly payments: { id: string; document: DocumentBody }[] = [];

  constructor(
    private readonly client: TestClient,
    private readonly chance: Chance,
  ) {}

  /** @returns whether tax is due as it is paid */
  async begin(): Promise<boolean> {
    await this.good(this.client.patch('/v1/finance/seller', { country: 'DE' }));
    for (const { customer } of BUYERS)
      this.customers.push((await this.client.aCustomer(customer)).id);
    await this.good(
      this.client.patch('/v1/finance/payment-settings', {
        underpayment_tolerance: CURRENCIES.map((currency) => ({ currency, amount: 300 })),
      }),
    );
    const day = FIRST_DAY;
    await this.good(
      this.client.putRates([
        { base: 'EUR', quote: 'USD', rate: '1.0873', day },
        { base: 'EUR', quote: 'JPY', rate: '163.21', day },
      ]),
    );
    const isByCash = this.chance.isIn(20);
    const from = '2026-01-01';
    if (isByCash) {
      await this.good(this.client.post('/v1/finance/vat-methods', { method: 'cash', from }));
    }
    return isByCash;
  }

  async step(): Promise<void> {
    const name = this.chance.of(DRAWN);
    const answer = await this.take(name);
    if (!answer) return;
    if (answer.status >= 500) throw new Error(`${name}: ${answer.text}`);
    if (answer.status < 300) this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  private async take(name: StepName): Promise<Answer<unknown> | undefined> {
    const { chance, client } = this;
    if (name === 'issue' || this.documents.length === 0) return this.issue();
    if (name === 'close a month') {
      return client.post(`/v1/finance/periods/2026-${chance.of(['08', '09'])}/close`);
    }
    if (name === 'refund' || name === 'reverse' || name === 'move') return this.ofPayment(name);
    const document = await client.read(chance.of(this.documents));
    const path: Path = `/v1/finance/documents/${document.id}`;
    switch (name) {
      case 'pay':
        return this.pay(document);
      case 'pay in another currency':
        return this.payAbroad(document);
      case 'write off':
        return client.post(`${path}/write-off`, {
          tax_relief: chance.isIn(70),
          ...(chance.isIn(50) && { date: this.dayAfter(document) }),
        });
      case 'claim':
        return client.post(
          `${path}/tax-relief`,
          chance.isIn(50) ? {} : { date: this.dayAfter(document) },
        );
      case 'take a write-off back':
        return client.post(`${path}/write-off/reverse`);
      case 'void':
        return client.post(`${path}/void`);
      case 'credit':
        return this.credit(document);
    }
  }

  private async issue() {
    const { chance } = this;
    const at = chance.isIn(60) ? 0 : chance.below(BUYERS.length);
    const isSmall = chance.isIn(30);
    const lines = Array.from({ length: 1 + chance.below(3) }, (_, line) => ({
      description: 'Goods',
      quantity: line > 0 && chance.isIn(15) ? '-1' : chance.of(['1', '3', '0.7']),
      unit_amount: 1 + chance.below(isSmall ? 40 : 100_000),
      ...chance.of(BUYERS[at]!.taxes),
      ...(chance.isIn(15) && { discounts: [{ percent: '7.5' }] }),
    }));
    const answer = await this.client.post<DocumentBody>('/v1/finance/documents', {
      customer_id: this.customers[at],
      currency: chance.isIn(70) ? 'EUR' : chance.of(CURRENCIES),
      issue: true,
      issue_date: addDays(FIRST_DAY, chance.below(DAYS)),
      lines,
      ...(chance.isIn(25) && { prices_include_tax: true }),
      ...(chance.isIn(15) && { cash_rounding: 5 }),
      ...(chance.isIn(50) && { cash_discounts: [{ percent: chance.of(['2', '3']), days: 30 }] }),
    });
    if (answer.status === 201) this.documents.push(answer.body);
    return answer;
  }

  private async pay(document: DocumentBody) {
    const { chance } = this;
    const { amount_due: due } = document;
    const part = chance.below(6);
    const amount = Math.max(
      1,
      part < 2
        ? Math.ceil(due * 0.98)
        : part === 2
          ? due
          : Math.ceil((due * (1 + chance.below(120))) / 100),
    );
    const answer = await this.client.pay(document, {
      amount,
      method: chance.isIn(10) ? 'credit_balance' : 'bank_transfer',
      on_overpayment: 'credit',
      paid_at: `${this.dayAfter(document)}T10:00:00Z`,
    });
    this.keep(answer, document);
    return answer;
  }

  private async payAbroad(document: DocumentBody) {
    const others = CURRENCIES.filter((currency) => currency !== document.currency);
    const answer = await this.client.pay(document, {
      amount: Math.max(1, document.amount_due - this.chance.below(300)),
      received: {
        amount: 1 + this.chance.below(50_000),
        currency: this.chance.of(others),
        exchange_rate: '0.9',
      },
      paid_at: `${this.dayAfter(document)}T10:00:00Z`,
    });
    this.keep(answer, document);
    return answer;
  }

  private async credit(document: DocumentBody) {
    const { chance } = this;
    const left = document.amount_creditable;
    const amount = Math.max(
      1,
      Math.min(left, chance.isIn(30) ? left : 1 + chance.below(Math.max(1, left))),
    );
    const answer = await this.client.post<DocumentBody>(
      `/v1/finance/documents/${document.id}/credit-notes`,
      {
        ...(chance.isIn(60) ? { amount } : { lines: [{ position: 1 }] }),
        issue_date: this.dayAfter(document),
      },
    );
    if (answer.status === 201) this.documents.push(answer.body);
    return answer;
  }

  private async ofPayment(name: 'refund' | 'reverse' | 'move') {
    if (this.payments.length === 0) return undefined;
    const { chance, client } = this;
    const { id, document } = chance.of(this.payments);
    const path: Path = `/v1/finance/payments/${id}`;
    if (name === 'reverse') return client.post(`${path}/reverse`);
    if (name === 'move') {
      const others = this.documents.filter(
        (one) => one.customer_id === document.customer_id && one.currency === document.currency,
      );
      const to = chance.isIn(50) ? 'credit' : chance.of(others).id;
      return client.post(`${path}/allocations`, { from: document.id, to });
    }
    const { body } = await client.get<{ amount_refundable: number }>(path);
    return client.post(`${path}/refunds`, {
      amount: chance.isIn(30)
        ? body.amount_refundable
        : 1 + chance.below(body.amount_refundable + 1),
      method: 'bank_transfer',
      meaning: chance.of(['lowers_document', 'owed_again']),
    });
  }

  private keep({ body }: Answer, document: DocumentBody): void {
    const payment = body['payment'] as { id: string } | undefined;
    if (payment) this.payments.push({ id: payment.id, document });
  }

  private dayAfter({ issue_date: day }: DocumentBody): string {
    const later = addDays(day ?? FIRST_DAY, this.chance.below(30));
    return later > LAST_DAY ? LAST_DAY : later;
  }

  private async good(answer: Promise<Answer<unknown>>): Promise<void> {
    const { status, text } = await answer;
    if (status >= 300) throw new Error(text);
  }
}
