import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { EXPIRES, answered, closeWithBooks, made, pathOf } from './document-calls.js';

// An action that a document offers is done; one that it does not offer is refused, by its code.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => service.clock.set(new Date()));

const post = (of: { id: string }, step: string, body: object = {}) =>
  client.post<DocumentBody>(pathOf(of, step), body);

const after = async (
  document: DocumentBody,
  ...steps: ((of: DocumentBody) => Promise<unknown>)[]
) => {
  for (const step of steps) await step(document);
  return document;
};
const pay = (amount: number) => (of: DocumentBody) => client.pay(of, { amount });
const by =
  (step: string, body: object = {}) =>
  async (of: DocumentBody) => {
    expect((await post(of, step, body)).status).toBeLessThan(300);
  };
const late = async () => service.clock.set('2026-12-01T00:00:01Z');
const saying = (answer: 'accept' | 'reject') => (of: DocumentBody) =>
  answered(service, client, of, answer);

const STATES: [string, () => Promise<DocumentBody>][] = [
  ['a draft invoice', () => client.anInvoice({ issue: false })],
  ['a draft quote', () => client.aQuote({ issue: false })],
  [
    'a draft credit note',
    () => client.anInvoice({ kind: 'credit_note' as 'invoice', issue: false }),
  ],
  ['an open invoice', () => client.anInvoice()],
  ['a partly paid invoice', async () => after(await client.anInvoice(), pay(100))],
  ['a paid invoice', async () => after(await client.anInvoice(), pay(11_900))],
  [
    'a partly credited invoice',
    async () => after(await client.anInvoice(), by('credit-notes', { amount: 100 })),
  ],
  ['a credited invoice', async () => after(await client.anInvoice(), by('credit-notes'))],
  [
    'a paid and credited invoice',
    async () => after(await client.anInvoice(), pay(11_900), by('credit-notes')),
  ],
  ['an invoice of nothing', () => client.anInvoice({ unitAmount: 0 })],
  [
    'an invoice with money on its way',
    async () => {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
      const at = service.clock.now().toISOString();
      const data = { payment_id: `sbx_${link.id}`, payment_link_id: link.id, at };
      const told = sandboxDelivery(service, 'payment.processing', data);
      await service.call('/v1/webhooks/sandbox', { method: 'POST', ...told });
      return client.read(invoice);
    },
  ],
  ['a written off invoice', async () => after(await client.anInvoice(), by('write-off'))],
  [
    'a partly paid, written off invoice',
    async () => after(await client.anInvoice(), pay(1), by('write-off')),
  ],
  [
    'a written off, paid invoice',
    async () => after(await client.anInvoice(), by('write-off'), pay(11_900)),
  ],
  ['a void invoice', async () => after(await client.anInvoice(), by('void'))],
  ['a rejected invoice', async () => after(await client.anInvoice(), saying('reject'))],
  ['an overdue invoice', async () => after(await client.anInvoice(EXPIRES), late)],
  ['an open quote', () => client.aQuote()],
  ['an accepted quote', async () => after(await client.aQuote(), saying('accept'))],
  ['a rejected quote', async () => after(await client.aQuote(), saying('reject'))],
  ['an expired quote', async () => after(await client.aQuote(EXPIRES), late)],
  ['a converted quote', async () => after(await client.aQuote(), by('convert'))],
  ['a void quote', async () => after(await client.aQuote(), by('void'))],
  ['an open credit note', () => client.anInvoice({ kind: 'credit_note' as 'invoice' })],
  ['an applied credit note', async () => made(client, await client.anInvoice(), 'credit-notes')],
  [
    'a void credit note',
    async () => after(await client.anInvoice({ kind: 'credit_note' as 'invoice' }), by('void')),
  ],
];

/** Does what an action is named after. Null where there is no way to try it. */
async function tried(
  action: string,
  of: DocumentBody,
): Promise<{ status: number; body: object } | null> {
  switch (action) {
    case 'edit':
      return client.patch(pathOf(of), { notes: 'x' });
    case 'delete':
      return client.delete(pathOf(of));
    case 'pay':
      return client.pay(of, { amount: 1, on_overpayment: 'credit' });
    case 'credit':
      return post(of, 'credit-notes', { amount: 1 });
    case 'write_off':
      return post(of, 'write-off');
    case 'reverse_write_off':
      return post(of, 'write-off/reverse');
    case 'claim_tax_relief':
      return post(of, 'tax-relief');
    case 'accept':
    case 'reject':
      return null;
    default:
      return post(of, action);
  }
}

describe('available_actions', () => {
  it.each(STATES)(
    'of %s are what it does',
    async (_, make) => {
      const actions = (await client.read(await make())).available_actions;
      expect(actions).toHaveLength(14);
      for (const { action, available, code, reason, way_out } of actions) {
        // The clock may have been moved by the one before.
        service.clock.set(new Date());
        const document = await make();
        const answer = await tried(action, document);
        if (!answer) continue;
        if (available) {
          expect([action, code, reason, way_out]).toEqual([action, null, null, null]);
          expect([action, answer.status]).toEqual([action, expect.any(Number)]);
          expect([action, answer.status < 300, answer.body]).toEqual([
            action,
            true,
            expect.anything(),
          ]);
        } else {
          expect([action, answer.status, (answer.body as { code: string }).code]).toEqual([
            action,
            409,
            code,
          ]);
          expect([action, reason?.length, way_out?.length]).toEqual([
            action,
            expect.any(Number),
            expect.any(Number),
          ]);
        }
      }
    },
    60_000,
  );

  it.each(['accept', 'reject'] as const)(
    'tell whether the client may %s',
    async (action) => {
      for (const [name, make] of STATES) {
        service.clock.set(new Date());
        const made = await make();
        const document = await client.read(made);
        if (document.status === 'draft' || document.kind === 'credit_note') continue;
        const said = document.available_actions.find((one) => one.action === action);
        const answer = await answered(service, client, document, action);
        if (document.status === `${action}ed`) continue;
        const code = answer.status === 200 ? null : (answer.body['code'] ?? null);
        expect([name, answer.status, code]).toEqual([
          name,
          said?.available ? 200 : 409,
          said?.code,
        ]);
      }
    },
    60_000,
  );
});
