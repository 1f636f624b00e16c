import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CalculationBody } from '../../../src/documents/wire/calculation.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { PaymentDetailBody } from '../../../src/payments/recording/wire/payment.js';
import { readXml, textAt } from '../../einvoices/xml-reader.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { textOf } from '../../support/pdf-text.js';
import { creditOf, expectBooksToAgree, good, pathOf } from '../documents/document-calls.js';
import { mailStage, type MailStage, send, wish } from '../mail/mail-calls.js';

// Paper, e-invoices, page, receipt, letters and figures of the API tell one story of a document that
// was prepaid: no two of them have different sums.

let stage: MailStage;
let client: TestClient;
beforeAll(async () => {
  stage = await mailStage();
  client = await stage.service.aClient();
  const bank_accounts = [{ iban: 'DE89370400440532013000' }];
  good(await client.patch('/v1/finance/seller', { bank_accounts }), 200);
});
afterAll(async () => {
  await expectBooksToAgree(stage.service);
  await stage.close();
});

const CASH = { method: 'cash' };
const above = (amount: number) => ({ ...CASH, amount, on_overpayment: 'credit' });

type Step = (invoice: DocumentBody) => Promise<unknown>;

const later =
  (amount: number): Step =>
  (invoice) =>
    client.pay(invoice, above(amount));

const first = async (invoice: DocumentBody): Promise<string> =>
  (await paymentsOf(invoice)).toSorted((one, other) => (one.id < other.id ? -1 : 1))[0]!.id;

const reversed: Step = async (invoice) =>
  good(await client.post(`/v1/finance/payments/${await first(invoice)}/reverse`), 200);

const refunded =
  (amount: number): Step =>
  async (invoice) =>
    good(
      await client.post(`/v1/finance/payments/${await first(invoice)}/refunds`, {
        amount,
        meaning: 'owed_again',
      }),
      201,
    );

const noted =
  (amount: number): Step =>
  (invoice) =>
    aCreditNote(client, invoice, { amount });

/** Sums of money by what they are called; one that is zero is not there. */
interface Sums {
  paid: number;
  gone?: number;
  refunded?: number;
  credited?: number;
  toCredit?: number;
  due?: number;
}

interface Told {
  wish?: DocumentWish;
  prepaid: object[];
  steps?: Step[];
  /** As it was issued. */
  paper: Sums;
  now: Sums;
}

const FREE = { lines: [{ description: 'Gift', unit_amount: 0 }] };

const DOCUMENTS: [string, Told][] = [
  [
    'prepaid below its total',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 5000, due: 6900 },
    },
  ],
  [
    'prepaid by all of it',
    { prepaid: [{ ...CASH, amount: 11_900 }], paper: { paid: 11_900 }, now: { paid: 11_900 } },
  ],
  [
    'prepaid above its total',
    {
      prepaid: [{ ...CASH, amount: 5000 }, above(8000)],
      paper: { paid: 13_000, toCredit: 1100 },
      now: { paid: 13_000, toCredit: 1100 },
    },
  ],
  [
    'over nothing',
    {
      wish: FREE,
      prepaid: [above(900)],
      paper: { paid: 900, toCredit: 900 },
      now: { paid: 900, toCredit: 900 },
    },
  ],
  [
    'paid further later',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      steps: [later(3000)],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 8000, due: 3900 },
    },
  ],
  [
    'paid above its total later',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      steps: [later(10_000)],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 15_000, toCredit: 3100 },
    },
  ],
  [
    'whose prepayment is reversed',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      steps: [reversed],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 5000, gone: 5000, due: 11_900 },
    },
  ],
  [
    'whose prepayment above the total is reversed',
    {
      prepaid: [above(13_000)],
      steps: [reversed],
      paper: { paid: 13_000, toCredit: 1100 },
      now: { paid: 13_000, gone: 13_000, due: 11_900 },
    },
  ],
  [
    'of whose prepayments one is reversed, and paid again',
    {
      prepaid: [{ ...CASH, amount: 2000 }, above(11_000)],
      steps: [reversed, later(500)],
      paper: { paid: 13_000, toCredit: 1100 },
      now: { paid: 13_500, gone: 2000, toCredit: 1100, due: 1500 },
    },
  ],
  [
    'of whose prepayment a part goes back',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      steps: [refunded(2000)],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 5000, refunded: 2000, due: 8900 },
    },
  ],
  [
    'prepaid below its total, with a credit note',
    {
      prepaid: [{ ...CASH, amount: 5000 }],
      steps: [noted(1900)],
      paper: { paid: 5000, due: 6900 },
      now: { paid: 5000, credited: 1900, due: 5000 },
    },
  ],
  [
    'prepaid above its total, with a credit note',
    {
      prepaid: [above(13_000)],
      steps: [noted(1900)],
      paper: { paid: 13_000, toCredit: 1100 },
      now: { paid: 13_000, toCredit: 1100 },
    },
  ],
];

describe.each(DOCUMENTS)('an invoice %s', (_, told) => {
  it('says the same everywhere', async () => {
    const invoice = await client.anInvoice({ ...told.wish, prepayments: told.prepaid });
    for (const step of told.steps ?? []) await step(invoice);
    const { total } = invoice;
    for (const sums of [told.paper, told.now]) {
      expect(adds(sums), 'the story adds up').toBe(total);
    }
    await expectPaperToSay(invoice, told.paper);
    await expectApiToSay(invoice, told);
    await expectPageToSay(invoice, told.now);
    await expectLettersToSay(invoice, told.now);
  });
});

const sum = (amounts: number[]) => amounts.reduce((so, one) => so + one, 0);

/** The total that sums come to. */
const adds = (sums: Sums) =>
  sums.paid -
  (sums.gone ?? 0) -
  (sums.refunded ?? 0) -
  (sums.toCredit ?? 0) +
  (sums.credited ?? 0) +
  (sums.due ?? 0);

const NAMES: [keyof Sums, string, sign?: -1][] = [
  ['paid', 'Paid'],
  ['gone', 'No longer counted here', -1],
  ['refunded', 'Refunded'],
  ['credited', 'Credited'],
  ['toCredit', 'Added to your credit balance'],
  ['due', 'Amount due'],
];

const euro = (minor: number) => `${minor < 0 ? '-' : ''}€${(Math.abs(minor) / 100).toFixed(2)}`;

/** Rows of a table of totals. `Amount due` is there at zero, too, where there is no credit. */
function rowsOf(sums: Sums): string[][] {
  return NAMES.flatMap(([key, name, sign = 1]) => {
    const amount = sums[key];
    return amount === undefined || (amount === 0 && key !== 'due')
      ? []
      : [[name, euro(sign * amount)]];
  });
}

async function expectPaperToSay(invoice: DocumentBody, paper: Sums): Promise<void> {
  const { currency, total } = invoice;
  expect(currency).toBe('EUR');
  const rows = rowsOf(paper.toCredit === undefined ? { due: 0, ...paper } : paper);
  const pdf = textOf((await client.get(pathOf(invoice, 'pdf'))).bytes);
  expect(pdf).toContain(['Total', euro(total), ...rows.flat()].join('\n'));
  const due = total - paper.paid;
  const ubl = readXml((await client.get(pathOf(invoice, 'xml?profile=peppol'))).text);
  const cii = readXml((await client.get(pathOf(invoice, 'xml?profile=factur-x'))).text);
  const sums = [
    'SupplyChainTradeTransaction',
    'ApplicableHeaderTradeSettlement',
    'SpecifiedTradeSettlementHeaderMonetarySummation',
  ];
  const atUbl = (field: string) => textAt(ubl, `a:LegalMonetaryTotal/b:${field}`);
  const atCii = (field: string) =>
    textAt(
      cii,
      ['rsm:' + sums[0], ...[...sums.slice(1), field].map((one) => `ram:${one}`)].join('/'),
    );
  for (const [prepaid, payable] of [
    [atUbl('PrepaidAmount'), atUbl('PayableAmount')],
    [atCii('TotalPrepaidAmount'), atCii('DuePayableAmount')],
  ]) {
    expect([prepaid, payable]).toEqual([(paper.paid / 100).toFixed(2), (due / 100).toFixed(2)]);
  }
}

async function paymentsOf(document: { id: string }): Promise<PaymentDetailBody[]> {
  const path = pathOf(document, 'payments');
  return good(await client.get<{ data: PaymentDetailBody[] }>(path), 200).data;
}

async function expectApiToSay(invoice: DocumentBody, { paper, now }: Told): Promise<void> {
  const read = await client.read(invoice);
  const { paid, gone = 0, refunded: back = 0, credited = 0, toCredit = 0, due = 0 } = now;
  expect(read).toMatchObject({
    amount_prepaid: paper.paid,
    amount_paid: paid - gone - toCredit,
    amount_refunded: back,
    amount_credited: credited,
    amount_due: due,
  });
  const here = (await paymentsOf(invoice)).filter(({ status }) => status !== 'reversed');
  expect(sum(here.map(({ amount }) => amount))).toBe(paid - gone);
  expect(sum(here.map((one) => one.credited))).toBe(toCredit);
  const notes = sum(
    read.follow_ups.filter(({ relation }) => relation === 'credit').map(() => 1900),
  );
  expect(await creditOf(client, invoice.customer_id)).toBe(toCredit + notes - credited);
  const { steps } = good(await client.get<CalculationBody>(pathOf(invoice, 'calculation')), 200);
  const explained = Object.fromEntries(steps.map(({ figure, amount }) => [figure, amount]));
  expect(explained).toMatchObject({ '/amount_prepaid': paper.paid, '/amount_due': due });
  const prepaid = steps.find(({ figure }) => figure === '/amount_prepaid');
  if (paper.toCredit === undefined) return;
  const [total, rest, whole] = [invoice.total, paper.toCredit, paper.paid].map((minor) =>
    (minor / 100).toFixed(2),
  );
  expect(prepaid?.formula).toBe(`${total} + ${rest} = ${whole}`);
}

/** Rows of the table of totals from that named `from` on. */
function shownRows(html: string, from: string): string[][] {
  const [, table = ''] = /<table class="totals">(.*?)<\/table>/s.exec(html) ?? [];
  const rows = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, '').trim(),
    ),
  );
  const start = rows.findIndex(([name]) => name === from);
  return rows.slice(start + 1);
}

async function expectPageToSay(invoice: DocumentBody, now: Sums): Promise<void> {
  const token = await client.aPortalToken(invoice);
  const { service } = stage;
  const html = { headers: { accept: 'text/html' } };
  const page = (await service.call(`/v1/portal/${token}`, html)).text;
  expect(shownRows(page, 'Total')).toEqual(rowsOf({ due: 0, ...now }));
  const [, head = ''] = /<p class="due">(.*?)<\/p>/s.exec(page) ?? [];
  const { paid, gone = 0, due = 0 } = now;
  expect(head.replace(/<[^>]*>/g, '')).toBe(euro(due > 0 ? due : paid - gone));
  expect(page.includes('class="qr"')).toBe(due > 0);

  const { body } = await service.call<{ payments: { amount: number; credited: number }[] }>(
    `/v1/portal/${token}`,
    { headers: { accept: 'application/json' } },
  );
  const { payments } = body;
  expect(sum(payments.map(({ credited }) => credited))).toBe(now.toCredit ?? 0);
  expect(sum(payments.map(({ amount }) => amount))).toBe(paid - gone - (now.toCredit ?? 0));

  const receipt = await service.call(`/v1/portal/${token}/receipt`, html);
  expect(receipt.status).toBe(paid === gone ? 404 : 200);
  if (paid === gone) return;
  const { refunded: back = 0 } = now;
  const rows = Object.fromEntries(shownRows(receipt.text, 'Total')) as Record<string, string>;
  expect(rows).toMatchObject({
    Paid: euro(paid - gone - back),
    'Amount due': euro(due),
    ...(now.toCredit !== undefined && { 'Added to your credit balance': euro(now.toCredit) }),
  });
  const paper = textOf((await service.call(`/v1/portal/documents/${token}/receipt`)).bytes);
  expect(paper).toContain(`Paid\n${euro(paid - gone - back)}`);
}

async function expectLettersToSay(invoice: DocumentBody, { paid, gone = 0, due = 0 }: Sums) {
  await wish(client, { send_receipts: false });
  await stage.mails();
  await send(client, invoice, { to: ['ada@example.com'] });
  const [letter] = await stage.mails();
  const asks = due > 0 && due !== invoice.total;
  expect(letter?.text).toContain(euro(invoice.total));
  expect(letter?.text?.includes('Amount due')).toBe(asks);
  if (asks) expect(letter?.text).toContain(euro(due));
  if (paid === gone) return;
  await send(client, invoice, { kind: 'receipt', to: ['ada@example.com'] });
  const [receipt] = await stage.mails();
  expect(receipt?.text).toContain(`your payment of ${euro(paid - gone)}`);
  expect(receipt?.text).toContain(`Amount due: ${euro(due)}`);
}
