import fc from 'fast-check';
import jsqr from 'jsqr';
import sharp from 'sharp';
import type { Browser } from 'puppeteer-core';
import { SwissQRBill } from 'swissqrbill/svg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { paymentCodesFor } from '../../src/documents/domain/printing/payment-codes.js';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { Money } from '../../src/kernel/money.js';
import type { TestClient } from '../support/client.js';
import { textOf } from '../support/pdf-text.js';
import { startTestService, type TestService } from '../support/service.js';
import { openBrowser } from '../e2e/portal/browser.js';
import { aView } from './document-views.js';

// Codes for banking apps: what they say, and what a camera reads from paper and page.

// A package of CommonJS: its function is `default` of its exports.
const readCode = (jsqr as unknown as { default: typeof jsqr.default }).default;

const GERMAN = {
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  bank_name: null,
  holder: null,
};
const SWISS = { iban: 'CH9300762011623852957', bic: null, bank_name: null, holder: null };
const QR_IBAN = { ...SWISS, iban: 'CH4431999123000889012' };
const QR_REFERENCE = '210000000003139471430009017';
const PLACE = { address: ['Marktgasse 28'], postal_code: '9400', city: 'Rorschach', country: 'CH' };

type Account = typeof GERMAN | typeof SWISS;
const viewOf = (bank_accounts: Account[], seller = {}, currency: 'EUR' | 'CHF' | 'USD' = 'EUR') =>
  aView({ currency, seller: { ...PLACE, bank_accounts, ...seller } });
const codeOf = (...given: Parameters<typeof viewOf>) => {
  const view = viewOf(...given);
  return paymentCodesFor(view, view.total)[0];
};

describe('the code of an account', () => {
  it('says a SEPA transfer as the EPC has it', () => {
    const view = viewOf([GERMAN], { name: 'Acme Studio' });
    expect(codeOf([GERMAN], { name: 'Acme Studio' })).toEqual({
      standard: 'epc',
      payload: `BCD\n002\n1\nSCT\nCOBADEFFXXX\nAcme Studio\nDE89370400440532013000\nEUR119.00\n\n${view.paymentReference}`,
    });
  });

  it.each([
    ['another currency', () => codeOf([GERMAN], {}, 'USD')],
    [
      'an account outside of SEPA',
      () => codeOf([{ ...GERMAN, iban: 'BR1500000000000010932840814P2' }]),
    ],
    [
      'an account beyond the EEA whose bank is not named',
      () => codeOf([{ ...GERMAN, iban: 'GB29NWBK60161331926819', bic: null as never }]),
    ],
    ['a QR-IBAN, which needs another reference', () => codeOf([QR_IBAN], {}, 'CHF')],
    ['a Swiss account of a seller without a town', () => codeOf([SWISS], { city: null }, 'CHF')],
    [
      'a Swiss account of a name that the standard cannot write',
      () => codeOf([SWISS], { name: '株式会社' }, 'CHF'),
    ],
    ['a seller whose name has no shape', () => codeOf([GERMAN], { name: '\u200b\u202e' })],
    ['nothing', () => paymentCodesFor(viewOf([GERMAN]), Money.zero('EUR'))[0]],
    ['too much', () => paymentCodesFor(viewOf([GERMAN]), Money.of(100_000_000_000n, 'EUR'))[0]],
  ])('is none for %s', (_what, code) => {
    expect(code()).toBeNull();
  });

  it('never has more lines or bytes than its standard, whatever the names', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        name,
        name,
        fc.bigInt({ min: 1n, max: 99_999_999_999n }),
        (seller, buyer, minor) => {
          for (const [account, currency] of [
            [GERMAN, 'EUR'],
            [SWISS, 'CHF'],
          ] as const) {
            const view = aView({
              currency,
              seller: { ...PLACE, name: `x${seller}\nEUR1`, bank_accounts: [account] },
              customer: { ...PLACE, name: `y${buyer}\r\nNON` },
            });
            const code = paymentCodesFor(view, Money.of(minor, currency))[0];
            const lines = code?.payload.split('\n');
            if (currency === 'EUR') expect(lines).toHaveLength(10);
            else if (lines) expect(lines).toHaveLength(31);
            expect(Buffer.byteLength(code?.payload ?? '')).toBeLessThanOrEqual(
              currency === 'EUR' ? 331 : 997,
            );
          }
        },
      ),
    );
  });

  it('is what an independent maker of Swiss bills says', () => {
    const view = viewOf([SWISS], { name: 'Robert Schneider AG' }, 'CHF');
    const code = paymentCodesFor(view, view.total)[0];
    const bill = new SwissQRBill({
      amount: 119,
      currency: 'CHF',
      reference: view.paymentReference ?? '',
      message: view.number ?? '',
      creditor: {
        account: SWISS.iban,
        name: 'Robert Schneider AG',
        address: 'Marktgasse 28',
        zip: '9400',
        city: 'Rorschach',
        country: 'CH',
      },
    });
    expect(bill.toString()).toContain('<svg');
    const said = code?.payload.split('\n') ?? [];
    expect(said.slice(0, 11)).toEqual([
      'SPC',
      '0200',
      '1',
      SWISS.iban,
      'S',
      'Robert Schneider AG',
      'Marktgasse 28',
      '',
      '9400',
      'Rorschach',
      'CH',
    ]);
    expect(said.slice(18, 20)).toEqual(['119.00', 'CHF']);
    expect(said.slice(27)).toEqual(['SCOR', view.paymentReference, view.number, 'EPD']);
  });

  it.each([
    [GERMAN, 'Vertrag 4711', ['', 'Vertrag 4711']],
    [GERMAN, 'RF18539007547034', ['RF18539007547034']],
    [GERMAN, QR_REFERENCE, ['', QR_REFERENCE]],
    [SWISS, 'Vertrag 4711', ['NON', '', 'Vertrag 4711', 'EPD']],
    [SWISS, 'RF18539007547034', ['SCOR', 'RF18539007547034', 'INV-00001', 'EPD']],
    [SWISS, QR_REFERENCE, ['NON', '', QR_REFERENCE, 'EPD']],
    [QR_IBAN, QR_REFERENCE, ['QRR', QR_REFERENCE, 'INV-00001', 'EPD']],
    [QR_IBAN, 'Vertrag 4711', undefined],
  ])('says the reference of the caller: %o %s', (account, payment_reference, said) => {
    const seller = { ...PLACE, bank_accounts: [account] };
    const view = aView({ seller, content: { details: { ...NO_DETAILS, payment_reference } } });
    const code = paymentCodesFor(view, view.total)[0];
    const from = code?.standard === 'epc' ? 9 : 27;
    expect(code?.payload.split('\n').slice(from)).toEqual(said);
  });
});

describe('a camera', () => {
  let service: TestService;
  let client: TestClient;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
    client = await service.aClient();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** The text of the first code in a picture of an element. */
  async function readFrom(where: { url: string } | { html: string }, scheme = 'light') {
    const page = await browser.newPage();
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width: 800, height: 1200, deviceScaleFactor: 2 });
    if ('url' in where) await page.goto(where.url);
    else await page.setContent(where.html);
    const qr = (await page.$('.slip')) ?? (await page.$('.qr'));
    const picture = sharp((await qr?.screenshot()) ?? Buffer.alloc(0))
      .ensureAlpha()
      .raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    await page.close();
    return readCode(new Uint8ClampedArray(data), info.width, info.height)?.data;
  }

  it.each(['light', 'dark'])('reads from a %s page what is still due', async (scheme) => {
    await client.patch('/v1/finance/seller', { name: 'Müller & Söhne', bank_accounts: [GERMAN] });
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    const url = `${service.url}/v1/portal/${await client.aPortalToken(invoice)}`;
    const { payment_reference: reference } = await client.read(invoice);
    expect(await readFrom({ url }, scheme)).toBe(
      `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller & Söhne\nDE89370400440532013000\nEUR100.00\n\n${reference}`,
    );
  });

  it.each([
    [GERMAN, 'EUR' as const],
    [SWISS, 'CHF' as const],
  ])('reads from paper what the account says: %j', async (account, currency) => {
    const whole = viewOf([account], { name: 'Zoë Sàrl' }, currency);
    const said = await readFrom({ html: pdfHtml(whole) });
    expect(said).toBe(paymentCodesFor(whole, whole.total)[0]?.payload);
    expect(said).toContain(account.iban);
    const prepaid = { ...whole, amountPrepaid: Money.of(5000n, currency) };
    const rest = paymentCodesFor(whole, Money.of(6900n, currency))[0]?.payload;
    expect(await readFrom({ html: pdfHtml(prepaid) })).toBe(rest);
  });

  it('finds no code where nothing is asked for', async () => {
    await client.patch('/v1/finance/seller', { bank_accounts: [GERMAN] });
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_900 });
    const page = await service.call(`/v1/portal/${await client.aPortalToken(invoice)}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.text).not.toContain('class="qr"');
  });

  it('finds the receipt of a slip with room for the longest names', async () => {
    const long = 'Gesellschaft für Beratung, Entwicklung und Betrieb von Anlagen der Stadt'.slice(
      0,
      70,
    );
    const place = { ...PLACE, address: [long], city: 'Sankt Margrethen im Rheintal bei Bregen' };
    const view = aView({
      currency: 'CHF',
      seller: { ...place, name: long, bank_accounts: [SWISS] },
      customer: { ...place, name: long },
    });
    const page = await browser.newPage();
    await page.setContent(pdfHtml(view));
    const [last, sums] = await page.$$eval(
      '.slip-receipt > .slip-block:nth-of-type(3), .slip-receipt > .slip-sums',
      (blocks) =>
        blocks
          .map((block) => block.getBoundingClientRect())
          .map(({ top, bottom }) => ({ top, bottom })),
    );
    await page.close();
    expect(last?.bottom).toBeLessThan(sums?.top ?? 0);
  });

  it.each([
    ['de', 'Zahlteil', 'Empfangsschein'],
    ['fr', 'Section paiement', 'Récépissé'],
    ['it', 'Sezione pagamento', 'Ricevuta'],
    ['sv', 'Payment part', 'Receipt'],
  ])('is led by the words of the standard: %s', async (language, payment, receipt) => {
    await client.patch('/v1/finance/seller', { ...PLACE, region: null, bank_accounts: [SWISS] });
    const invoice = await client.anInvoice({ language, currency: 'CHF' });
    const { bytes } = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
    const paper = textOf(bytes);
    for (const text of [payment, receipt, 'CH93 0076 2011 6238 5295 7', '119.00']) {
      expect(paper).toContain(text);
    }
  });
});
