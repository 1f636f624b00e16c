import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn, tries } from '../../support/share.js';

/*
 * Two steps that are both legal, at the same time. The right result is not written here. Both
 * orders are run one after the other first, and a race must end as one of them did, answers
 * included.
 */

const ROUNDS = tries({ pushed: 2, full: 15 });
const ROUNDS_AT_ONCE = 5;
const COPIES = 4;

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

/** A document to race for, and what hangs on it. */
interface Stage {
  document: DocumentBody;
  /** Made of the document: a revision, an invoice, a credit note. */
  made?: DocumentBody;
  /** Another invoice of the same customer. */
  other?: DocumentBody;
  token?: string;
  link?: { id: string; gateway: string; amount: number; currency: string };
}

type Step = (stage: Stage) => Promise<Answer<object>>;

const at = ({ id }: { id: string }, step = '') => `/v1/finance/documents/${id}${step}`;
const madeOf = ({ made }: Stage) => made ?? { id: 'nothing' };

async function posted(path: string, body: object = {}): Promise<DocumentBody> {
  const answer = await client.post<DocumentBody>(path, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

const answered =
  (what: string, body: object = {}): Step =>
  async ({ token }) =>
    service.call(`/v1/portal/${token}/${what}`, { method: 'POST', body });

const STEPS = {
  accept: answered('accept'),
  reject: answered('reject', { reason: 'No' }),
  pay: async ({ document }) => client.pay(document),
  webhook: async ({ link }) => (link ? service.deliverPaid(link) : fail()),
  void: async ({ document }) => client.post(at(document, '/void')),
  'write-off': async ({ document }) => client.post(at(document, '/write-off')),
  convert: async ({ document }) => client.post(at(document, '/convert')),
  revise: async ({ document }) => client.post(at(document, '/revise'), { issue: true }),
  credit: async ({ document }) => client.post(at(document, '/credit-notes'), { amount: 1000 }),
  patch: async ({ document }) => client.patch(at(document), { notes: 'Other' }),
  'patch what was read': async ({ document }) =>
    client.patch(at(document), { notes: 'Mine' }, { 'If-Match': `"${document.version}"` }),
  delete: async ({ document }) => client.delete(at(document)),
  issue: async ({ document }) => client.post(at(document, '/issue')),
  'issue of what was made': async (stage) => client.post(at(madeOf(stage), '/issue')),
  'patch of what was made': async (stage) => client.patch(at(madeOf(stage)), { notes: 'Other' }),
  'delete of what was made': async (stage) => client.delete(at(madeOf(stage))),
  'spending of its credit': async ({ other }) =>
    other ? client.pay(other, { amount: 1000, method: 'credit_balance' }) : fail(),
  'void of what was made': async (stage) => client.post(at(madeOf(stage), '/void')),
} satisfies Record<string, Step>;
type StepName = keyof typeof STEPS;

function fail(): never {
  throw new Error('the stage lacks something');
}

/** The start states, and the steps that are legal from each. */
const STARTS: Record<string, { stage: () => Promise<Stage>; steps: StepName[] }> = {
  'a draft': {
    stage: async () => ({ document: await client.anInvoice({ issue: false }) }),
    steps: ['patch', 'patch what was read', 'delete', 'issue'],
  },
  'an open invoice': {
    stage: async () => {
      const document = await client.anInvoice({ unitAmount: 100_000 });
      const [token, link, made] = await Promise.all([
        client.aPortalToken(document),
        client.aPaymentLink(document, { amount: 5000 }),
        posted(at(document, '/revise')),
      ]);
      return { document, token, link, made };
    },
    steps: [
      'reject',
      'pay',
      'webhook',
      'void',
      'write-off',
      'revise',
      'credit',
      'issue of what was made',
      'delete of what was made',
    ],
  },
  'a credited invoice': {
    stage: async () => {
      const document = await client.anInvoice({ unitAmount: 100_000 });
      const link = await client.aPaymentLink(document, { amount: 5000 });
      return {
        document,
        link,
        made: await posted(at(document, '/credit-notes'), { amount: 7000 }),
      };
    },
    steps: ['pay', 'webhook', 'write-off', 'credit', 'void of what was made'],
  },
  'an invoice paid and credited': {
    stage: async () => {
      const document = await client.anInvoice();
      await client.pay(document, { amount: 11_900 });
      const { customer_id } = document;
      const other = await client.anInvoice({ customer: undefined, customer_id });
      return {
        document,
        other,
        made: await posted(at(document, '/credit-notes'), { amount: 1000 }),
      };
    },
    steps: ['credit', 'void of what was made', 'spending of its credit'],
  },
  'an open quote': {
    stage: async () => {
      const document = await client.aQuote();
      const [token, made] = await Promise.all([
        client.aPortalToken(document),
        posted(at(document, '/revise')),
      ]);
      return { document, token, made };
    },
    steps: ['accept', 'reject', 'void', 'convert', 'revise', 'issue of what was made'],
  },
  'a converted quote': {
    stage: async () => {
      const document = await client.aQuote();
      return { document, made: await posted(at(document, '/convert')) };
    },
    steps: ['issue of what was made', 'patch of what was made', 'delete of what was made'],
  },
};

/** All that a step may change: status and sums, of the document and of what was made of it. */
async function outcomeOf({ document, made, other }: Stage): Promise<object> {
  const shown = await Promise.all(
    [document, ...[made, other].filter((one) => one !== undefined)].map(async (one) => {
      const { status, body } = await client.get<DocumentBody>(at(one));
      if (status !== 200) return status;
      const { amount_paid, amount_due, amount_credited, amount_creditable, notes } = body;
      const sums = { amount_paid, amount_due, amount_credited, amount_creditable, notes };
      const follow = body.follow_ups.map(({ relation, number }) => [relation, number !== null]);
      return { status: body.status, ...sums, follow: follow.map(String).sort() };
    }),
  );
  const credit = await client.get(`/v1/finance/customers/${document.customer_id}/credit`);
  return { shown, credit: credit.text };
}

const judged = ({ status, body }: Answer<object>) => {
  const { code, document_status: state } = body as { code?: string; document_status?: string };
  return [status, ...(status < 400 ? [] : [code, state])].join(' ');
};

/** 409 with the state; or the version, the document or the credit is gone, whatever the state. */
const LOST = new RegExp(
  `^(${[
    String.raw`409 \w+ \w+`,
    '422 insufficient_credit ',
    '404 document_not_found ',
    String.raw`412 version_mismatch \w*`,
  ].join('|')})$`,
);

const asText = (outcome: object, answers: string[] = []) => JSON.stringify([outcome, ...answers]);

async function inOrder(start: () => Promise<Stage>, names: StepName[]) {
  const stage = await start();
  const answers: string[] = [];
  for (const name of names) answers.push(judged(await STEPS[name](stage)));
  return { answers, outcome: await outcomeOf(stage) };
}

async function atOnce(start: () => Promise<Stage>, names: StepName[]) {
  const stage = await start();
  const answers = (await Promise.all(names.map((name) => STEPS[name](stage)))).map(judged);
  return { answers, outcome: await outcomeOf(stage) };
}

async function rounds<Result>(count: number, round: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const batch = Math.min(ROUNDS_AT_ONCE, count - results.length);
    results.push(...(await Promise.all(Array.from({ length: batch }, round))));
  }
  return results;
}

const lostOf = (answers: string[]) => answers.filter((answer) => !answer.startsWith('2'));

describe.each(Object.entries(STARTS))('%s', (_name, { stage, steps }) => {
  const neighbours = steps.map((one, index) => [one, steps.at(index - 1) ?? one] as const);
  const pairs = steps.flatMap((one, index) =>
    steps.slice(index).map((other) => [one, other] as const),
  );

  it('takes each of the steps when it is alone', async () => {
    for (const step of steps) {
      const { answers } = await inOrder(stage, [step]);
      expect([step, answers]).toEqual([step, [expect.stringMatching(/^20[014]$/)]]);
    }
  });

  it.each(oneIn(6, pairs))('takes %s beside %s as if one had come first', async (one, other) => {
    const first = await inOrder(stage, [one, other]);
    const second = await inOrder(stage, [other, one]);
    const legal = [
      asText(first.outcome, first.answers),
      asText(second.outcome, second.answers.toReversed()),
    ];
    for (const { answers, outcome } of await rounds(ROUNDS, () => atOnce(stage, [one, other]))) {
      expect(legal).toContain(asText(outcome, answers));
      for (const answer of lostOf(answers)) expect(answer).toMatch(LOST);
    }
  });

  it.each(oneIn(6, neighbours))(
    `takes ${COPIES} of %s beside ${COPIES} of %s`,
    async (one, other) => {
      const ones = Array<StepName>(COPIES).fill(one);
      const others = Array<StepName>(COPIES).fill(other);
      // All of the one kind come somewhere among those of the other.
      const orders = [...ones.keys(), COPIES].flatMap((first) => [
        [...ones.slice(0, first), ...others, ...ones.slice(first)],
        [...others.slice(0, first), ...ones, ...others.slice(first)],
      ]);
      const legal = new Set<string>();
      for (const order of orders) legal.add(asText((await inOrder(stage, order)).outcome));
      for (const race of await rounds(3, () => atOnce(stage, [...ones, ...others]))) {
        expect([...legal]).toContain(asText(race.outcome));
        for (const answer of lostOf(race.answers)) expect(answer).toMatch(LOST);
      }
    },
  );
});

describe('after all of it', () => {
  it('no history has a gap', async () => {
    const gaps = await service.database.query(
      `SELECT document_id FROM events WHERE document_id IS NOT NULL GROUP BY account_id, document_id
       HAVING min(sequence) <> 1 OR max(sequence) <> count(*)`,
    );
    expect(gaps).toEqual([]);
  });

  it('the books agree', async () => {
    const { checks, differences } = await service.app.get(IntegrityQuery).differences();
    expect(checks).toBeGreaterThan(10);
    expect(differences).toEqual([]);
  });

  it('no two of them ever waited for each other', async () => {
    const [stats] = await service.database.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(stats).toEqual({ deadlocks: 0n });
  });
});
