import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SellerProfileBody } from '../../../src/documents/wire/seller.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// The looks that an account gives its documents: set, previewed, frozen when a document is issued.

const SELLER = '/v1/finance/seller';
const PREVIEW = `${SELLER}/template/preview`;

const TEMPLATE = {
  accent_color: '#8a1c7c',
  hidden_columns: ['position', 'tax'],
  carried_sums: false,
  layout: 'standard',
  texts: [
    { name: 'invoice', language: null, text: 'Bill' },
    { name: 'invoice', language: 'de', text: 'Honorarnote' },
    { name: 'description', language: 'de', text: 'Leistung' },
  ],
  footer: 'Foot of {number}',
  blocks: [
    { place: 'before_lines', language: null, heading: null, text: 'Dear {customer_name},' },
    { place: 'after_totals', language: 'de', heading: 'Dank', text: 'Vielen Dank für {total}.' },
    { place: 'end', language: 'fr', heading: null, text: 'Merci' },
  ],
};

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const setTemplate = (template: object | null) =>
  client.patch<SellerProfileBody>(SELLER, { template });
const paperOf = async (id: unknown) => {
  const { bytes } = await client.get(`/v1/finance/documents/${String(id)}/pdf`);
  return textOf(bytes);
};

describe('the template of an account', () => {
  it('is null at first, is set as a whole, and goes with null', async () => {
    const before = await client.get<SellerProfileBody>(SELLER);
    expect(before.body.template).toBeNull();
    const set = await setTemplate(TEMPLATE);
    expect([set.status, set.body.template]).toEqual([
      200,
      { ...TEMPLATE, version: before.body.version + 1 },
    ]);
    const smaller = await setTemplate({ accent_color: '#ABCDEF' });
    expect(smaller.body.template).toEqual({
      version: before.body.version + 2,
      accent_color: '#abcdef',
      hidden_columns: [],
      carried_sums: false,
      texts: [],
      footer: null,
      blocks: [],
    });
    expect((await setTemplate(null)).body.template).toBeNull();
  });

  it('keeps its version where it is sent again, and where something else changes', async () => {
    const { version } = (await setTemplate(TEMPLATE)).body.template!;
    expect((await setTemplate(TEMPLATE)).body.template?.version).toBe(version);
    const { body } = await client.patch<SellerProfileBody>(SELLER, { phone: '+1 555 0100' });
    expect([body.template?.version, body.version > version]).toEqual([version, true]);
  });

  it.each([
    ['a name of a colour', { accent_color: 'red' }, '/template/accent_color', 'invalid_color'],
    ['a short colour', { accent_color: '#abc' }, '/template/accent_color', 'invalid_color'],
    [
      'an unknown column',
      { hidden_columns: ['amount'] },
      '/template/hidden_columns/0',
      'not_in_list',
    ],
    ['no columns', { hidden_columns: [] }, '/template/hidden_columns', 'not_in_list'],
    [
      'an unknown fact',
      { footer: 'Pay {amount_due} now' },
      '/template/footer',
      'unknown_placeholder',
    ],
    [
      'an unknown fact in a paragraph',
      { blocks: [{ place: 'end', text: '{iban} {number}' }] },
      '/template/blocks/0/text',
      'unknown_placeholder',
    ],
    [
      'an unknown place',
      { blocks: [{ place: 'top', text: 'x' }] },
      '/template/blocks/0/place',
      'not_in_list',
    ],
    [
      'unknown words',
      { texts: [{ name: 'total', text: 'x' }] },
      '/template/texts/0/name',
      'not_in_list',
    ],
    [
      'long words',
      { texts: [{ name: 'quote', text: 'x'.repeat(61) }] },
      '/template/texts/0/text',
      'invalid_text',
    ],
    ['an unknown layout', { layout: 'din676' }, '/template/layout', 'not_in_list'],
    ['code', { script: 'alert(1)' }, '/template/script', 'unknown_field'],
    ['a list', [], '/template', 'invalid_object'],
  ])('refuses %s', async (_, template, pointer, code) => {
    const answer = await setTemplate(template);
    const { errors } = expectProblem(answer, 422, code) as {
      errors: { pointer: string; code: string }[];
    };
    expect(errors).toEqual([expect.objectContaining({ pointer, code })]);
    expect((await client.get<SellerProfileBody>(SELLER)).body.template).toBeNull();
  });

  it('tells which facts are known', async () => {
    const answer = await setTemplate({ footer: '{iban} {bic}' });
    expect(answer.text).toContain('has {iban}, {bic}; known are {number}, {issue_date}');
  });
});

describe('a document', () => {
  it('is printed with it on paper and page, in its language', async () => {
    await setTemplate(TEMPLATE);
    const german = await client.anInvoice({ language: 'de' });
    const paper = await paperOf(german.id);
    expect(paper).toMatch(/^Honorarnote$/m);
    expect(paper).toMatch(/^Leistung$/m);
    expect(paper).toMatch(/^Dear Globex GmbH,$/m);
    expect(paper).toMatch(/^Dank$/m);
    expect(paper).toMatch(/^Vielen Dank für 119,00\s€\.$/m);
    expect(paper).toContain(`Foot of ${german.number}`);
    expect(paper).not.toMatch(/^(#|MwSt\.|USt\.|Steuer|Merci)$/m);
    const page = await service.call(`/v1/portal/${await client.aPortalToken(german)}`);
    for (const words of [
      'Honorarnote',
      'Leistung',
      'Dear Globex GmbH,',
      'Dank',
      '--accent: #8a1c7c',
    ]) {
      expect(page.text).toContain(words);
    }
    const english = await client.anInvoice({});
    expect(await paperOf(english.id)).toMatch(/^Bill$/m);
  });

  it('asks for no money in words of the seller either, once it is paid', async () => {
    await setTemplate({ blocks: [{ place: 'after_totals', text: 'Please pay {total}.' }] });
    const invoice = await client.anInvoice({});
    const token = await client.aPortalToken(invoice);
    expect(await paperOf(invoice.id)).toContain('Please pay €119.00.');
    expect((await service.call(`/v1/portal/${token}`)).text).toContain('Please pay €119.00.');
    await client.pay(invoice, { amount: 11_900 });
    expect(await paperOf(invoice.id)).not.toContain('Please pay');
    expect((await service.call(`/v1/portal/${token}`)).text).not.toContain('Please pay');
  });

  it('keeps that of its issue, and a draft takes the new one when it is issued', async () => {
    await setTemplate(TEMPLATE);
    const [issued, other] = [await client.anInvoice({}), await client.anInvoice({})];
    const draft = await client.anInvoice({ issue: false });
    const before = await paperOf(issued.id);
    await setTemplate({ texts: [{ name: 'invoice', text: 'Account' }] });
    expect(await paperOf(issued.id)).toBe(before);
    // It was never printed before the change.
    expect(await paperOf(other.id)).toMatch(/^Bill$/m);
    await client.issue(draft);
    expect(await paperOf(draft.id)).toMatch(/^Account$/m);
  });

  it('is a letter where the seller’s country has windows, unless the account says otherwise', async () => {
    await client.patch(SELLER, { country: 'DE' });
    const request = /^Please pay €119\.00 by /m;
    const [letter, other] = [await client.anInvoice({}), await client.anInvoice({})];
    const { bytes } = await client.get(`/v1/finance/documents/${letter.id}/pdf`);
    expect(textOf(bytes)).toMatch(request);
    await setTemplate({ layout: 'standard' });
    const kept = await client.get(`/v1/finance/documents/${letter.id}/pdf`);
    expect(kept.bytes.equals(bytes)).toBe(true);
    expect(await paperOf(other.id)).toMatch(request);
    expect(await paperOf((await client.anInvoice({})).id)).not.toMatch(request);
    await client.patch(SELLER, { country: 'JP', template: { layout: 'din5008' } });
    expect(await paperOf((await client.anInvoice({})).id)).toMatch(request);
    await client.patch(SELLER, { template: null });
    expect(await paperOf((await client.anInvoice({})).id)).not.toMatch(request);
  });

  it('shows each fact once it has it, and nothing where it has none', async () => {
    await setTemplate({
      footer: '[{purchase_order}] {unknown',
      blocks: [{ place: 'end', text: '{number} {issue_date} {due_date} {currency} {seller_name}' }],
    });
    const draft = await client.anInvoice({ issue: false });
    expect(await paperOf(draft.id)).toContain('[] {unknown');
    const invoice = await client.anInvoice({ purchase_order: 'PO-7' });
    const paper = await paperOf(invoice.id);
    expect(paper).toContain('[PO-7] {unknown');
    expect(paper).toMatch(
      new RegExp(String.raw`^${invoice.number} \d+ \w+ \d{4} \d+ \w+ \d{4} EUR Acme$`, 'm'),
    );
  });

  it('warns at the issue of characters that cannot be printed in it', async () => {
    await setTemplate({ footer: 'Thanks 🎉' });
    const draft = await client.anInvoice({ issue: false });
    const { body } = await client.post<{ warnings: { pointer: string }[] }>(
      `/v1/finance/documents/${draft.id}/issue`,
      {},
    );
    expect(body.warnings.map(({ pointer }) => pointer)).toContain('/seller/template/footer');
  });
});

describe('the preview of a template', () => {
  it('prints a document with it, and stores nothing', async () => {
    const invoice = await client.anInvoice({});
    const before = await contentsOf(service.database);
    const answer = await client.post(PREVIEW, { document_id: invoice.id, template: TEMPLATE });
    expect(textOf(answer.bytes)).toMatch(/^Bill$/m);
    expect(await contentsOf(service.database)).toEqual(before);
    expect(await paperOf(invoice.id)).toMatch(/^Invoice$/m);
  });

  it('is refused as the template would be, and of unknown documents', async () => {
    const invoice = await client.anInvoice({});
    const wrong = { document_id: invoice.id, template: { footer: '{x}' } };
    expectProblem(await client.post(PREVIEW, wrong), 422, 'unknown_placeholder');
    const stranger = await service.aClient();
    const right = { document_id: invoice.id, template: {} };
    expectProblem(await stranger.post(PREVIEW, right), 404, 'document_not_found');
    expectProblem(await client.post(PREVIEW, { template: {} }), 422, 'required');
  });
});
