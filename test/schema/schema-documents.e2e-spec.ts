import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { DOCUMENT_KINDS, type Lifecycle, NEXT } from '../../src/documents/domain/lifecycle.js';
import { UuidV7Generator } from '../../src/kernel/ids.js';
import type { TestClient } from '../support/client.js';
import { aCreditNote, aRichInvoice } from '../support/documents.js';
import { startTestService, type TestService } from '../support/service.js';
import { CHECK, FROZEN, Statements, uuid } from '../support/statements.js';

// The schema's refusals about documents, whatever the code does: every step and frozen column.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const ids = new UuidV7Generator();
const statements = new Statements(() => service.database);
const verdict = statements.verdict.bind(statements);
const set = statements.set.bind(statements);
const another = statements.another.bind(statements);

describe('the steps of a document', () => {
  /**
   * The values that a row needs to be in a state; values there stay, as an issued document wants.
   */
  const NEEDS: Record<Lifecycle, Record<string, string>> = {
    draft: {},
    open: {
      number: `'X-' || document_id`,
      issued_at: 'now()',
      issue_date: 'now()',
      due_date: 'now()',
      lapses_at: 'now()',
    },
    accepted: { accepted_at: 'now()' },
    rejected: { rejected_at: 'now()', rejection_reason: `'No'`, rejected_version: '1' },
    converted: { converted_at: 'now()' },
    uncollectible: { written_off_at: 'now()' },
    void: { voided_at: 'now()' },
  };
  const LIFECYCLES = Object.keys(NEEDS) as Lifecycle[];

  /** States that a kind has no way to. */
  const reachable = (kind: keyof typeof NEXT) =>
    LIFECYCLES.filter(
      (one) => one === 'draft' || Object.values(NEXT[kind]).some((next) => next.includes(one)),
    );

  const assignments = (lifecycle: Lifecycle) =>
    [
      `lifecycle = '${lifecycle}'`,
      ...(lifecycle === 'converted' ? [] : ['converted_at = NULL']),
      ...(lifecycle === 'open' ? ['written_off_at = NULL'] : []),
      ...Object.entries(NEEDS[lifecycle]).map(
        ([name, sql]) => `${name} = coalesce(${name}, ${sql})`,
      ),
    ].join(', ');

  /** A row that was inserted in a state: no trigger asks how it came there. */
  async function placed(kind: string, lifecycle: Lifecycle): Promise<[string, string]> {
    const id = ids.next();
    const values = Object.keys(NEEDS[lifecycle]).map((name) => [
      name,
      { rejection_reason: 'No', rejected_version: 1 }[name] ?? new Date(),
    ]);
    const isDraft = lifecycle === 'draft';
    const over = {
      document_id: id,
      kind,
      lifecycle,
      number: isDraft ? null : `X-${id}`,
      ...(isDraft ? { issued_at: null } : {}),
      ...(lifecycle === 'open' ? {} : Object.fromEntries(values)),
    };
    return [id, await another(source, over)];
  }

  let source: DocumentBody;
  beforeAll(async () => {
    source = await client.anInvoice();
  });

  it.each(DOCUMENT_KINDS)(
    'of a kind %s are those of the state machine, and no other',
    async (kind) => {
      const taken: string[] = [];
      const refused: string[] = [];
      for (const from of reachable(kind)) {
        for (const to of LIFECYCLES.filter((one) => one !== from)) {
          const [id, inserted] = await placed(kind, from);
          expect([from, inserted]).toEqual([from, 'done']);
          const change = `UPDATE documents SET ${assignments(to)} WHERE document_id = '${id}'`;
          const answer = await verdict(change);
          if (answer === 'done') taken.push(`${from} ${to}`);
          else refused.push(`${from} ${to} ${answer}`);
        }
      }
      const legal = LIFECYCLES.flatMap((from) => NEXT[kind][from].map((to) => `${from} ${to}`));
      expect(taken.sort()).toEqual(legal.sort());
      expect(refused.filter((line) => !line.endsWith(FROZEN))).toEqual([]);
    },
  );

  it.each(DOCUMENT_KINDS)('leave out the states that a kind %s does not have', async (kind) => {
    const others = LIFECYCLES.filter((one) => !reachable(kind).includes(one));
    for (const lifecycle of others) {
      const [, answer] = await placed(kind, lifecycle);
      expect([lifecycle, answer]).toEqual([lifecycle, expect.stringContaining(CHECK)]);
    }
  });

  it('have the instants that they say', async () => {
    const [invoice, quote] = [await client.anInvoice(), await client.aQuote()];
    for (const bare of ['accepted', 'rejected', 'converted', 'void']) {
      expect(await set(quote, `lifecycle = '${bare}'`)).toMatch(CHECK);
    }
    expect(await set(invoice, `lifecycle = 'uncollectible'`)).toMatch(CHECK);
    expect(await set(invoice, 'voided_at = now()')).toMatch(CHECK);
    expect(await set(quote, 'converted_at = now()')).toMatch(CHECK);
    expect(await set(invoice, 'written_off_at = now()')).toMatch(CHECK);
    expect(await another(invoice, { lapses_at: null })).toMatch(CHECK);
  });

  it('keep the answer that a client gave', async () => {
    const [accepted, rejected] = [await client.aQuote(), await client.aQuote()];
    await set(accepted, assignments('accepted'));
    await set(rejected, assignments('rejected'));
    expect(await set(accepted, `accepted_at = accepted_at + interval '1 s'`)).toBe(FROZEN);
    expect(await set(accepted, `accepted_at = NULL`)).toBe(FROZEN);
    for (const other of [
      `rejection_reason = 'Yes'`,
      'rejected_at = now()',
      'rejected_version = 9',
    ]) {
      expect(await set(rejected, other)).toBe(FROZEN);
    }
  });
});

describe('an issued document', () => {
  it.each([
    'proforma = NOT proforma',
    `language = 'fr'`,
    `external_id = 'other'`,
    'external_id = NULL',
    'prices_include_tax = NOT prices_include_tax',
    'cash_rounding = 5',
    'subtotal = subtotal + 1, discount_total = discount_total + 1',
    'charge_total = charge_total + 1, discount_total = discount_total + 1',
    'rounding = rounding + 1, total = total + 1',
    `origin = 'duplicate', origin_document_id = document_id`,
    'revision = revision + 1',
    `lapses_at = lapses_at + interval '1 s'`,
  ])('does not take %s', async (assignments) => {
    const invoice = await aRichInvoice(client);
    expect(await set(invoice, assignments)).toBe(FROZEN);
    expect(await set(await client.void(invoice), assignments)).toBe(FROZEN);
  });

  it.each([
    `origin = NULL, origin_document_id = NULL`,
    `origin = 'duplicate'`,
    'amount_applied = amount_applied - 1',
  ])('that is a credit note does not take %s', async (assignments) => {
    const note = await aCreditNote(client, await client.anInvoice());
    expect(await set(note, assignments)).toBe(FROZEN);
  });

  it.each([
    `unit = 'HUR'`,
    `exemption_reason = 'other'`,
    `discounts = '[]'`,
    `charges = '[]'`,
    'amount = amount + 1',
    'net = net + 1',
    'quantity = 2',
    'unit_amount = 1',
    'tax_rate = 7',
    `tax_category = 'E'`,
    `description = 'other'`,
    'position = position + 10',
  ])('keeps its lines from %s', async (assignment) => {
    const invoice = await aRichInvoice(client);
    const change = `UPDATE document_lines SET ${assignment} WHERE document_id = $1`;
    expect(await verdict(change, [uuid(invoice)])).toBe(FROZEN);
  });

  it.each([
    `exemption_code = 'VATEX-EU-AE'`,
    `exemption_reason = 'other'`,
    'base = base + 1',
    'tax = tax + 1',
    'tax_rate = tax_rate + 1',
    `tax_category = 'E'`,
  ])('keeps its tax groups from %s', async (assignment) => {
    const invoice = await aRichInvoice(client);
    const change = `UPDATE document_tax_groups SET ${assignment} WHERE document_id = $1`;
    expect(await verdict(change, [uuid(invoice)])).toBe(FROZEN);
  });

  it.each([
    `seller = '{}'`,
    `customer = '{}'`,
    `notes = 'other'`,
    `details = '{"sales_order": "other"}'`,
    `discounts = '[]'`,
    `charges = '[]'`,
    `lines = '[]'`,
    `tax_groups = '[]'`,
    'document_id = uuidv7()',
  ])('keeps its words from %s', async (assignment) => {
    for (const invoice of [
      await aRichInvoice(client),
      await client.void(await aRichInvoice(client)),
    ]) {
      expect(await set(invoice, assignment, 'document_contents')).toBe(FROZEN);
    }
  });

  it('keeps all of its words', async () => {
    const invoice = await aRichInvoice(client);
    const gone = 'DELETE FROM document_contents WHERE document_id = $1';
    expect(await verdict(gone, [uuid(invoice)])).toBe(FROZEN);
    expect(await verdict('TRUNCATE document_contents')).toBe(FROZEN);
  });

  it('takes labels, which are the seller’s own', async () => {
    const invoice = await aRichInvoice(client);
    expect(await set(invoice, `metadata = '{"a": "b"}'`, 'document_contents')).toBe('done');
    expect(await set(invoice, 'version = version + 1')).toBe('done');
  });
});
