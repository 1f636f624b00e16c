import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { pageTextsOf, textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { pathOf } from './document-calls.js';

// A copy of what asks for nothing any more says so on each page, and not how to pay.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient({ timeZone: 'Pacific/Auckland' });
  await client.patch('/v1/finance/seller', {
    bank_accounts: [{ holder: 'ACME GmbH', iban: 'DE89370400440532013000' }],
  });
});
afterAll(() => service.close());

const pdfOf = async (of: { id: string }, query = '') => client.get(pathOf(of, `pdf${query}`));
const today = () =>
  new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'Pacific/Auckland' }).format(
    service.clock.now(),
  );
const LONG: DocumentWish = { lines: 60, language: 'de' };

/** Each makes a document, and then what marks it: the sentence, and the name of the file. */
const MARKED: Record<
  string,
  () => Promise<[{ id: string; number: string | null }, string, string]>
> = {
  'a paid invoice': async () => {
    const invoice = await client.anInvoice(LONG);
    await client.pay(invoice, { amount: (await client.read(invoice)).total });
    return [invoice, `Bezahlt · ${today()}`, '-paid'];
  },
  'a rejected invoice': async () => {
    const invoice = await client.anInvoice(LONG);
    const token = await client.aPortalToken(invoice);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'No' } });
    return [invoice, `Abgelehnt am ${today()}`, '-rejected'];
  },
  'a quote that was replaced': async () => {
    const quote = await client.aQuote(LONG);
    const { body } = await client.post<{ id: string }>(pathOf(quote, 'revise'), {});
    const { number } = await client.issue(body);
    return [quote, `Ersetzt durch ${number}`, '-replaced'];
  },
  'a quote that was invoiced': async () => {
    const quote = await client.aQuote(LONG);
    const { body } = await client.post<{ number: string }>(pathOf(quote, 'convert'), {
      issue: true,
    });
    return [quote, `Berechnet mit ${body.number}`, '-invoiced'];
  },
};

describe.each(Object.keys(MARKED))('%s', (what) => {
  it('says so on each page, and the PDF of its issue is still to be had', async () => {
    const [document, sentence, suffix] = await MARKED[what]!();
    const marked = await pdfOf(document);
    const text = textOf(marked.bytes);
    const pages = pageTextsOf(marked.bytes);
    expect(pages.length).toBeGreaterThan(1);
    // In the head, and at the foot of each page.
    expect(text.split(sentence)).toHaveLength(pages.length + 2);
    expect(text).not.toContain('DE89');
    expect(marked.headers.get('content-disposition')).toContain(`${document.number}${suffix}.pdf`);
    const issued = await pdfOf(document, '?as_issued=true');
    expect(textOf(issued.bytes)).not.toContain(sentence);
    expect((await pdfOf(document, '?as_issued=true')).bytes.equals(issued.bytes)).toBe(true);
  });
});

describe('no mark', () => {
  it.each([
    [
      'a part payment',
      async () => {
        const invoice = await client.anInvoice({ language: 'de' });
        await client.pay(invoice);
        return invoice;
      },
    ],
    [
      'a payment that was taken back',
      async () => {
        const invoice = await client.anInvoice({ language: 'de' });
        const { body } = await client.pay(invoice, { amount: 11_900 });
        const { id } = body['payment'] as { id: string };
        await client.post(`/v1/finance/payments/${id}/reverse`, {});
        return invoice;
      },
    ],
    [
      'what was written off',
      async () => {
        const invoice = await client.anInvoice({ language: 'de' });
        await client.post(pathOf(invoice, 'write-off'), {});
        return invoice;
      },
    ],
    [
      'an invoice over nothing',
      async () =>
        client.anInvoice({ language: 'de', lines: [{ description: 'Gift', unit_amount: 0 }] }),
    ],
  ])('is for %s: it is the stored PDF', async (_what, make) => {
    const invoice = await make();
    const first = await pdfOf(invoice);
    expect(textOf(first.bytes)).not.toContain('Bezahlt ·');
    expect((await pdfOf(invoice)).bytes.equals(first.bytes)).toBe(true);
  });
});

it('a draft asks for no money', async () => {
  const draft = await client.anInvoice({ issue: false, language: 'de' });
  const text = textOf((await pdfOf(draft)).bytes);
  expect(text).toContain('Entwurf');
  expect(text).not.toContain('DE89');
});
