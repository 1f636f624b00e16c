import { COPY_SCRIPT_SOURCE } from '../../../src/portal/http/copy-script.js';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { Locale } from '../../../src/documents/domain/printing/formatting.js';
import { dateIn } from '../../../src/kernel/clock.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// The client's use of a link; the same in a browser is in portal-browser.e2e-spec.ts.

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const JSON_ONLY = { accept: 'application/json' };

let service: TestService;
let client: TestClient;
let invoice: DocumentBody;
let token: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
  invoice = await client.anInvoice();
  token = await client.aPortalToken(invoice);
});
afterEach(() => service.clock.set(new Date()));

const reject = (reason: unknown, of = token) =>
  service.call(`/v1/portal/${of}/reject`, { method: 'POST', body: { reason } });
const rejectByForm = (reason: string) =>
  service.call(`/v1/portal/${token}/reject`, {
    method: 'POST',
    body: new URLSearchParams({ reason }).toString(),
    headers: FORM,
  });
const pdf = (of = token, headers = {}, method = 'GET') =>
  service.call(`/v1/portal/documents/${of}/pdf`, { headers, method });

describe('a rejection', () => {
  it.each(['invoice', 'quote'] as const)(
    'of an %s is kept and shown to the seller',
    async (kind) => {
      const document = await client.anInvoice({ kind });
      const link = await client.aPortalToken(document);
      const answer = await reject('  Not what we agreed.\n', link);
      expect([answer.status, answer.text]).toEqual([200, '{"success":true}']);
      const seen = await client.read(document);
      expect(seen.status).toBe('rejected');
      expect(seen.rejection).toEqual({
        reason: 'Not what we agreed.',
        version: document.version,
      });
      const { rejected_at: at } = seen.status_transitions;
      const age = service.clock.now().getTime() - Date.parse(at ?? '');
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(10_000);
      const payment = await client.pay(document);
      expectProblem(payment, 409, 'document_not_payable');
    },
  );

  it('with the same reason is answered alike twice, and written once', async () => {
    const first = await reject('No');
    const before = await contentsOf(service.database);
    const again = await reject(' No ');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.status).toBe(200);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('with another reason comes too late', async () => {
    await reject('No');
    const problem = expectProblem(await reject('Never'), 409, 'document_not_rejectable');
    expect(problem['document_status']).toBe('rejected');
    expect((await client.read(invoice)).rejection?.reason).toBe('No');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['partially_paid', () => client.pay(invoice, { amount: 1 })],
    ['paid', () => client.pay(invoice, { amount: 11_900 })],
    ['void', () => client.post(`/v1/finance/documents/${invoice.id}/void`)],
  ])('of a document that is %s is refused', async (status, happens) => {
    await happens();
    const before = await contentsOf(service.database);
    const problem = expectProblem(await reject('No'), 409, 'document_not_rejectable');
    expect(problem['document_status']).toBe(status);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('and a payment at once: one of them wins', async () => {
    const [rejected, paid] = await Promise.all([reject('No'), client.pay(invoice)]);
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual([rejected.status, paid.status]);
    const { status } = await client.read(invoice);
    expect(status).toBe(rejected.status === 200 ? 'rejected' : 'partially_paid');
  });

  it.each<[string, unknown, string]>([
    ['no reason', undefined, 'required'],
    ['null', null, 'required'],
    ['an empty reason', '', 'invalid_text'],
    ['blanks', ' \n\t ', 'invalid_text'],
    ['2,001 characters', 'x'.repeat(2001), 'invalid_text'],
    ['a number', 5, 'invalid_text'],
    ['NUL', 'a\0b', 'invalid_text'],
    ['a lone surrogate', '\ud800', 'invalid_text'],
  ])('with %s is refused', async (_, reason, code) => {
    const before = await contentsOf(service.database);
    const problem = expectProblem(await reject(reason), 422, code);
    expect(pointersOf(problem)).toEqual(['/reason']);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('has room for 2,000 characters after trimming', async () => {
    expect((await reject(`  ${'x'.repeat(2000)}\n`)).status).toBe(200);
    expect((await client.read(invoice)).rejection?.reason).toBe('x'.repeat(2000));
  });

  it('is dated where the account is', async () => {
    // They are 25 hours apart: at no time do both have the same day.
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const there = await service.aClient({ timeZone });
      const document = await there.anInvoice();
      const link = await there.aPortalToken(document);
      await reject('Too dear', link);
      const { rejected_at: at } = (await there.read(document)).status_transitions;
      const date = Locale.of(null).date(dateIn(timeZone, new Date(at ?? '')));
      const shown = await service.call(`/v1/portal/${link}`, { headers: { accept: 'text/html' } });
      expect(shown.text).toContain(`Rejected on ${date}`);
    }
  });

  it('by a form without script leads back to the page', async () => {
    const answer = await rejectByForm('Too dear');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/v1/portal/${token}?answered=rejected`);
    expect((await client.read(invoice)).rejection?.reason).toBe('Too dear');
    expect((await rejectByForm('Too dear')).status).toBe(303);
  });

  it('by a form has room for all that its text field takes', async () => {
    // A browser counts a line break as one character and sends two.
    expect((await rejectByForm(`${'x'.repeat(1990)}${'\r\n'.repeat(9)}x`)).status).toBe(303);
  });
});

describe('the PDF', () => {
  it('has the headers of the contract and the bytes that are stored', async () => {
    const answer = await pdf();
    expect(answer.status).toBe(200);
    expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const digest = createHash('sha256').update(answer.bytes).digest('hex');
    const shown = [
      'content-type',
      'content-disposition',
      'etag',
      'content-length',
      'cache-control',
    ];
    expect(Object.fromEntries(shown.map((name) => [name, answer.headers.get(name)]))).toEqual({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline; filename="?INV-00001\.pdf"?$/),
      etag: `"${digest}"`,
      'content-length': String(answer.bytes.length),
      'cache-control': 'private, no-store',
    });
    const rows = await service.database.query<{ pdf: Buffer; sha256: Buffer }>(
      'SELECT pdf, sha256 FROM document_pdfs WHERE sha256 = $1',
      [Buffer.from(digest, 'hex')],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.pdf.equals(answer.bytes)).toBe(true);
  });

  it('is the same for ever, for the seller too', async () => {
    const first = await pdf();
    const second = await pdf();
    await client.pay(invoice, { amount: 500 });
    const paid = await pdf();
    const sellers = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
    for (const { bytes, headers } of [second, paid, sellers]) {
      expect(bytes.equals(first.bytes)).toBe(true);
      expect(headers.get('etag')).toBe(first.headers.get('etag'));
    }
  });

  it('is one, also when it is first asked for many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => pdf()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(answers.every(({ bytes }) => bytes.equals(answers[0]?.bytes ?? bytes))).toBe(true);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await pdf();
    const head = await pdf(token, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-disposition', 'etag', 'content-length']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  it('answers 304 to the ETag of the bytes, and to no other', async () => {
    const etag = (await pdf()).headers.get('etag') ?? '';
    for (const tags of [etag, `"x", W/${etag}`, '*']) {
      const answer = await pdf(token, { 'if-none-match': tags });
      expect([tags, answer.status, answer.bytes.length]).toEqual([tags, 304, 0]);
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect((await pdf(token, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await pdf(token, { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
  });
});

describe('the page', () => {
  it('is HTML with a strict policy, and shows number, state and sums', async () => {
    await client.pay(invoice, { amount: 900 });
    const answer = await service.call(`/v1/portal/${token}`, { headers: HTML });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy.match(/script-src[^;]*/g)).toEqual([`script-src ${COPY_SCRIPT_SOURCE}`]);
    expect(answer.headers.get('cache-control')).toMatch(/no-store/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('vary')).toMatch(/accept/i);
    for (const text of [
      invoice.number ?? '',
      'Partially paid',
      '€119.00',
      '€110.00',
      'Globex GmbH',
    ]) {
      expect(answer.text).toContain(text);
    }
    expect(answer.text).toContain(`/v1/portal/documents/${token}/pdf`);
    expect(answer.text).not.toMatch(/<script/i);
  });

  it('offers the form only where the document can be rejected', async () => {
    const form = `action="/v1/portal/${token}/reject"`;
    const page = async () => (await service.call(`/v1/portal/${token}`, { headers: HTML })).text;
    expect(await page()).toContain(form);
    await reject('No, thank you');
    const after = await page();
    expect(after).not.toContain(form);
    expect(after).toContain('No, thank you');
  });
});

describe('a link that opens nothing', () => {
  const requests: [method: string, path: (of: string) => string][] = [
    ['GET', (of) => `/v1/portal/${of}`],
    ['GET', (of) => `/v1/portal/documents/${of}/pdf`],
    ['POST', (of) => `/v1/portal/${of}/reject`],
  ];

  it.each(requests)('is the same 404, whatever its cause: %s', async (method, path) => {
    const expired = await client.aPortalToken(invoice, { expires_in_days: 1 });
    service.clock.advance({ days: 1, seconds: 1 });
    const revoked = await client.aPortalToken(invoice);
    const revocation = `/v1/finance/documents/${invoice.id}/portal-tokens`;
    const list = await client.get<{ data: { id: string; revoked_at: string | null }[] }>(
      revocation,
    );
    expect((await client.delete(`${revocation}/${list.body.data.at(-1)?.id}`)).status).toBe(204);
    const body = method === 'POST' ? { reason: 'No' } : undefined;
    const before = await contentsOf(service.database);
    const answers = await Promise.all(
      ['A'.repeat(43), 'short', 'A'.repeat(4000), '%27%20OR%201', '%00', expired, revoked].map(
        (of) => service.call(path(of), { method, body, headers: JSON_ONLY }),
      ),
    );
    const bodies = answers.map((answer) => {
      const { request_id: _id, ...rest } = expectProblem(answer, 404, 'portal_link_not_found');
      return rest;
    });
    expect(bodies).toEqual(bodies.map(() => bodies[0]));
    expect(JSON.stringify(bodies)).not.toContain(revoked);
    // Another link of the same document is not touched.
    expect((await service.call(`/v1/portal/${token}`)).status).toBe(200);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('lives to its last second', async () => {
    const short = await client.aPortalToken(invoice, { expires_in_days: 1 });
    service.clock.advance({ days: 1, seconds: -5 });
    expect((await service.call(`/v1/portal/${short}`)).status).toBe(200);
  });

  it('is every link, once all of them are revoked', async () => {
    const other = await client.aPortalToken(invoice);
    await client.delete(`/v1/finance/documents/${invoice.id}/portal-tokens`);
    for (const ended of [token, other]) {
      expectProblem(await service.call(`/v1/portal/${ended}`), 404, 'portal_link_not_found');
    }
    const fresh = await client.aPortalToken(invoice);
    expect((await service.call(`/v1/portal/${fresh}`)).status).toBe(200);
  });

  it('is stored as a digest only', async () => {
    const dump = JSON.stringify(
      await service.database.query('SELECT t::text FROM portal_tokens t'),
    );
    expect(dump).toContain(createHash('sha256').update(token).digest('hex'));
    expect(dump).not.toContain(token);
    expect(dump).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  it('is one of a draft', async () => {
    const draft = await client.anInvoice({ issue: false });
    const answer = await client.post(`/v1/finance/documents/${draft.id}/portal-tokens`);
    expectProblem(answer, 409, 'document_not_issued');
  });
});

describe('looking', () => {
  it('never changes anything', async () => {
    const paths = [
      `/v1/portal/${token}`,
      `/v1/portal/documents/${token}/pdf`,
      `/v1/portal/${token}/reject`,
    ];
    // The bytes of a PDF are stored when it is first printed; a document is not changed by that.
    const before = await contentsOf(service.database, ['document_pdfs']);
    const statuses = [];
    for (const headers of [HTML, JSON_ONLY, { 'user-agent': 'Mozilla/5.0 link scanner' }]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        for (const path of paths) {
          statuses.push((await service.call(path, { method, headers })).status);
        }
      }
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(12);
    expect(await contentsOf(service.database, ['document_pdfs'])).toEqual(before);
  });
});
