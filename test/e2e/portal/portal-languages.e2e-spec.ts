import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, textsOf } from '../../../src/documents/domain/texts/languages.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Which language a client reads: the one chosen, the document's, or the browser's.

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

async function pageOf(language: string, { query = '', accepts = '' } = {}): Promise<string> {
  const token = await client.aPortalToken(await client.anInvoice({ language }));
  const headers = { accept: HTML, 'accept-language': accepts };
  const answer = await service.call(`/v1/portal/${token}${query}`, { headers });
  expect([answer.status, answer.headers.get('vary')]).toEqual([
    200,
    expect.stringContaining('Accept-Language'),
  ]);
  return answer.text;
}

const langOf = (html: string) => /<html lang="([^"]*)" dir="([^"]*)">/.exec(html)?.slice(1);

describe('the language of a page', () => {
  it.each([
    // Document, choice, browser.
    ['de', '', 'fr', ['de', 'ltr']],
    ['de', '?language=he', 'fr', ['he', 'rtl']],
    ['uk', '', 'xx-!, *, sv;q=0.5, ar;q=0.9', ['ar', 'rtl']],
    ['uk', '', '', ['en', 'ltr']],
    ['uk', '?language=ja-JP', 'sv', ['ja-JP', 'ltr']],
    // One that we do not speak is not chosen.
    ['de', '?language=uk', 'fr', ['de', 'ltr']],
  ])('of a document in %s, asked with %j by a browser of %j', async (own, query, accepts, told) => {
    expect(langOf(await pageOf(own, { query, accepts }))).toEqual(told);
  });

  it('is refused if it is none', async () => {
    const token = await client.aPortalToken(await client.anInvoice());
    const answer = await service.call(`/v1/portal/${token}?language=not_one`);
    expectProblem(answer, 400, 'invalid_query');
  });

  it('can be switched to each other one, by its own name', async () => {
    const html = await pageOf('de');
    const offered = [...html.matchAll(/\?language=(\w+)" hreflang="\1" lang="\1"/g)];
    expect(offered.map(([, language]) => language)).toEqual(
      LANGUAGES.filter((language) => language !== 'de'),
    );
    for (const name of ['日本語', 'العربية', 'Čeština', 'Français']) expect(html).toContain(name);
  });

  it('stays after an answer', async () => {
    const token = await client.aPortalToken(await client.aQuote({ language: 'de' }));
    const page = await service.call(`/v1/portal/${token}?language=sv`, {
      headers: { accept: HTML },
    });
    const action = /action="([^"]*\/accept[^"]*)"/.exec(page.text)?.[1] ?? '';
    expect(action).toBe(`/v1/portal/${token}/accept?language=sv`);
    const answer = await service.call(action, {
      method: 'POST',
      body: 'name=Ada&confirmed=true',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/v1/portal/${token}?language=sv&answered=accepted`,
    ]);
    const again = await service.call(action.replace('accept', 'reject'), {
      method: 'POST',
      body: 'reason=Late',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([again.status, langOf(again.text)]).toEqual([409, ['sv', 'ltr']]);
  });
});

it('the answer says what is printed', async () => {
  const invoice = await client.anInvoice({ language: 'uk-UA' });
  const { language, printed_language: printed } = await client.read(invoice);
  expect([language, printed]).toEqual(['uk-UA', 'en']);
  expect(await client.anInvoice({ language: 'no-NO' })).toMatchObject({
    language: 'no-NO',
    printed_language: 'nb-NO',
  });
});

it.each(['ar', 'he'])('a page in %s has names and amounts that read their own way', async (to) => {
  const html = await pageOf(to);
  expect(langOf(html)).toEqual([to, 'rtl']);
  expect(html).toMatch(/<bdi>Acme<\/bdi>/);
  expect(html).toMatch(/<p class="due"><bdi>[^<]*119\.00/);
});

it.each(LANGUAGES)('the PDF in %s says what the catalogue says', async (language) => {
  const { number, id } = await client.anInvoice({ language, notes: 'Noted' });
  const { bytes } = await client.get(`/v1/finance/documents/${id}/pdf`);
  const paper = textOf(bytes);
  const { titles, dueDate, total, description, page } = textsOf(language);
  for (const text of [titles.invoice, number, dueDate, total, description, page]) {
    expect(paper).toContain(text);
  }
  expect(paper).not.toContain('\ufffd');
});
