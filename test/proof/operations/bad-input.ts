import fc from 'fast-check';
import type { Books } from '../books.js';
import { type Call, Disagreement } from '../judge.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { chosen } from '../picks.js';
import type { World } from '../world.js';

const BAD = { pick, kind: fc.nat({ max: 999 }) };

/** Values that no amount may have. */
const NO_AMOUNTS = [
  0,
  -1,
  1.5,
  -0.0001,
  10_000_000_000_001,
  9_007_199_254_740_992,
  1e300,
  '100',
  '1e2',
  null,
  true,
  [100],
  { minor: 100 },
];

/** Wrong bodies of a payment beside its amount. */
const NO_PAYMENTS: object[] = [
  {},
  { amount: 100 },
  { amount: 100, method: 'barter' },
  { amount: 100, method: 'cash', currency: 'XXX' },
  { amount: 100, method: 'cash', currency: 'eur' },
  { amount: 100, method: 'cash', paid_at: 'yesterday' },
  { amount: 100, method: 'cash', paid_at: '2999-01-01T00:00:00Z' },
  { amount: 100, method: 'cash', on_overpayment: 'keep' },
  { amount: 100, method: 'cash', status: 'paid' },
  { amount: 100, method: 'cash', reference: 'a\u0000b' },
  { amount: 100, method: 'cash', metadata: { a: 1 } },
];

/** Requests that may change nothing, whatever the books are. */
function badRequests(books: Books, world: World, pick: number): [string, object][] {
  const invoice = chosen(books.invoices, pick)?.id ?? world.foreign.document;
  const customer = chosen(books.customers, pick) ?? '';
  return [
    ...NO_AMOUNTS.flatMap((amount): [string, object][] => [
      [`documents/${invoice}/payments`, { amount, method: 'cash' }],
      [`documents/${invoice}/payment-links`, { gateway: 'sandbox', amount: amount ?? 'none' }],
      [`documents/${invoice}/credit-notes`, { amount: amount ?? 'none' }],
    ]),
    ...NO_PAYMENTS.map((body): [string, object] => [`documents/${invoice}/payments`, body]),
    ...[world.foreign.document, 'doc_', customer, `${invoice}%00`, "doc_' OR 1=1"].flatMap(
      (id): [string, object][] => [
        [`documents/${id}/payments`, { amount: 1, method: 'cash' }],
        [`documents/${id}/credit-notes`, {}],
        [`documents/${id}/void`, {}],
        [`documents/${id}/write-off`, {}],
      ],
    ),
  ];
}

function bad(world: World, books: Books, wish: FieldsOf<typeof BAD>): Call {
  const requests = badRequests(books, world, wish.pick);
  const [path, body] = requests[wish.kind % requests.length] ?? ['', {}];
  const request = world.request(path, body, { keyed: false });
  return {
    ...request,
    judge: (_after, { status, text }) => {
      if (status >= 400 && status < 500) return;
      throw new Disagreement(`bad input must be refused, got ${status}: ${text}`);
    },
  };
}

export const BAD_OPERATIONS = [
  operation('bad', { weight: 2, fields: BAD, hasKey: false, call: bad }),
];
