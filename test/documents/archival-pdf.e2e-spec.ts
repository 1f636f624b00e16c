import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CopyMark } from '../../src/documents/domain/printing/copy-mark.js';
import { NO_ADDRESS } from '../../src/documents/domain/parties/party.js';
import type { DocumentView } from '../../src/documents/domain/document-view.js';
import { LANGUAGES } from '../../src/documents/domain/texts/languages.js';
import {
  archivalPdf,
  withArtifacts,
  withoutNullCharacters,
} from '../../src/documents/infrastructure/printing/archival-pdf.js';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { readPdf } from '../../src/documents/infrastructure/printing/printed-pdf.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launch } from '../support/chromium.js';
import { openedPdf, pageTextsOf, textOf } from '../support/pdf-text.js';
import { canValidate, validate } from '../support/pdf-validator.js';
import { aLine, aView, type ViewWish } from './document-views.js';

// Chromium's PDF becomes one for archives: PDF/A-3a, PDF/UA-1, small, the same whenever it is made.

const AT = new Date('2026-11-20T12:00:00Z');
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const MARK: CopyMark = { suffix: '-void', word: 'Void', sentence: 'Void since 22 Nov 2026' };
const SWISS = {
  address: ['Marktgasse 28'],
  postal_code: '9400',
  city: 'Rorschach',
  country: 'CH',
  bank_accounts: [{ iban: 'CH9300762011623852957', bic: null, bank_name: null, holder: null }],
};
const GERMAN = {
  bank_accounts: [
    { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: null, holder: null },
  ],
};

const LETTER: ViewWish = {
  customer: {
    contact_name: 'Erika Mustermann',
    address: ['Weg 1'],
    tax_id: 'DE987654321',
    shipping_address: { ...NO_ADDRESS, name: 'Depot', city: 'Bonn' },
  },
};

const lines = (count: number, said = 'Item') =>
  Array.from({ length: count }, (_, at) => aLine({ description: `${said} ${at + 1}.` }));
const inLanguage = (language: string): DocumentView =>
  aView({ content: { language, notes: 'شكرا תודה ขอบคุณ धन्यवाद 谢谢 ありがとう ☃ ∑ Ω' } });

const PAGES: Record<string, () => string> = {
  ...Object.fromEntries(
    LANGUAGES.map((language) => [language, () => pdfHtml(inLanguage(language))]),
  ),
  'many lines': () => pdfHtml(aView({ lines: lines(120, 'أعمال') })),
  'carried sums': () =>
    pdfHtml(aView({ lines: lines(60), content: { language: 'ar' } }), { carry: [19, 44] }),
  'a logo': () => pdfHtml(aView(), { logo: LOGO }),
  'a mark': () => pdfHtml(aView({ lines: lines(60) }), { mark: MARK }),
  'an EPC code': () => pdfHtml(aView({ seller: GERMAN })),
  'a Swiss slip': () => pdfHtml(aView({ currency: 'CHF', seller: SWISS })),
  'a letter of several sheets': () =>
    pdfHtml(aView({ ...LETTER, lines: lines(60), seller: { ...GERMAN, country: 'DE' } }), {
      carry: [19, 44],
      logo: LOGO,
    }),
  'a letter from right to left': () =>
    pdfHtml(
      aView({
        ...LETTER,
        seller: { ...GERMAN, country: 'FR' },
        content: { language: 'ar', notes: 'شكرا' },
      }),
    ),
  'a letter with a Swiss slip': () =>
    pdfHtml(aView({ ...LETTER, currency: 'CHF', seller: { ...SWISS, country: 'CH' } })),
  'a letter on letter paper': () => pdfHtml(aView({ ...LETTER, seller: { country: 'US' } })),
  'a draft': () => pdfHtml(aView({ state: { number: null, lifecycle: 'draft' } })),
  'hostile words': () =>
    pdfHtml(aView({ lines: [aLine({ description: ') Tj ET EMC >> stream\n(node00000001) \\' })] })),
};

let renderer: PuppeteerPdfRenderer;
beforeAll(async () => {
  renderer = new PuppeteerPdfRenderer({ launch });
  await renderer.warm();
});
afterAll(() => renderer.close());

const isRaw = (told: string) => told.startsWith('raw.pdf');

/** As Chromium writes it. */
async function rawPdf(html: string): Promise<Buffer> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.setContent(html);
    return Buffer.from(await page.pdf());
  } finally {
    await browser.close();
  }
}

const print = (html: string, at: Date | null = AT) => renderer.render(html, { at });

/** Parts of letters are nameless before, and have a name that says so after. */
const words = (pdf: Buffer) => pageTextsOf(pdf).map((text) => text.replaceAll('\0', '\ufffd'));

describe('a PDF for archives', () => {
  it('conforms to PDF/A-3a and PDF/UA-1 in the eyes of veraPDF, which Chromium’s does not', async (test) => {
    const reason = await canValidate();
    if (reason) return test.skip(reason);
    const files: Record<string, Buffer> = {};
    for (const [name, html] of Object.entries(PAGES)) files[name] = await print(html());
    const raw = await rawPdf(PAGES['ar']!());
    const { broken, compliant, checks } = await validate({ ...files, raw });
    expect(broken.filter((told) => !isRaw(told))).toEqual([]);
    expect(compliant).toBe(Object.keys(PAGES).length * 2);
    expect(checks).toBeGreaterThan(100_000);
    // Without what is added: identifier, metadata, colours, characters, artifacts and roles.
    for (const rule of ['6.1.3-1', '6.6.2.1-1', '6.2.4.3-2', '6.2.11.7.2-2', '7.1-3', '7.1-5']) {
      expect(
        broken.filter(isRaw).some((told) => told.includes(` ${rule} `)),
        rule,
      ).toBe(true);
    }
  });

  it('has the same bytes whenever, and in whichever browser, it is printed', async () => {
    const other = new PuppeteerPdfRenderer({ launch });
    try {
      for (const name of ['en', 'ar', 'many lines', 'a logo', 'an EPC code']) {
        const html = PAGES[name]?.() ?? '';
        const [first, again] = [await print(html), await print(html)];
        expect(again.equals(first), name).toBe(true);
        const elsewhere = await other.render(html, { at: AT });
        expect(elsewhere.equals(first), name).toBe(true);
      }
    } finally {
      await other.close();
    }
  });

  it('has the date that it is given, and none where none is given', async () => {
    const html = pdfHtml(aView());
    const [dated, undated] = [openedPdf(await print(html)), openedPdf(await print(html, null))];
    expect(dated.match(/\/(CreationDate|ModDate) \(D:20261120120000\+00'00'\)/g)).toHaveLength(2);
    expect(dated.match(/>2026-11-20T12:00:00\+00:00</g)).toHaveLength(2);
    expect(undated).not.toMatch(/CreationDate|CreateDate|ModDate|ModifyDate/);
  });

  it('says its title and language in any script', async () => {
    const opened = openedPdf(await print(pdfHtml(inLanguage('ja'))));
    const title = Buffer.from('請求書 INV-00001').toString('latin1');
    expect(opened).toContain(`<rdf:li xml:lang="x-default">${title}</rdf:li>`);
    expect(opened).toContain('<dc:language><rdf:Bag><rdf:li>ja</rdf:li>');
  });

  it('has its headings as an outline, and addresses and dates as paragraphs', async () => {
    const opened = openedPdf(await print(pdfHtml(aView())));
    expect(opened).toMatch(/\/Outlines \d+ 0 R/);
    expect(opened).toContain('/Title (Invoice)');
    // Name and address of both parties, and name and value of each field.
    expect(opened.match(/\/S \/P\b/g)?.length).toBeGreaterThan(9);
  });

  it('says what Chromium wrote, letter by letter and page by page', async () => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      for (const html of Object.values(PAGES)) {
        await page.setContent(html());
        const options = { preferCSSPageSize: true, printBackground: true };
        const raw = Buffer.from(await page.pdf(options));
        const packed = await archivalPdf(raw, { at: AT });
        expect(words(packed)).toEqual(words(raw));
      }
    } finally {
      await browser.close();
    }
  });

  it('takes less than half a megabyte for 1,000 lines', async () => {
    const pdf = await print(pdfHtml(aView({ lines: lines(1000, 'A thing that was made') })));
    expect(textOf(pdf)).toContain('A thing that was made 1000.');
    expect(pdf.length).toBeLessThan(500_000);
  });
});

describe('what is drawn outside of the elements', () => {
  it.each([
    ['text', 'BT\n/F4 10 Tf\n<0033> Tj\nET', '/Artifact BMC\nBT\n/F4 10 Tf\n<0033> Tj\nET\nEMC'],
    ['a path', '0 0 1 1 re\nf', '/Artifact BMC\n0 0 1 1 re\nf\nEMC'],
    ['a path of lines', '0 0 m\n1 1 l\nS', '/Artifact BMC\n0 0 m\n1 1 l\nS\nEMC'],
    ['an image', '/X3 Do', '/Artifact BMC\n/X3 Do\nEMC'],
    ['an element', '/P <</MCID 0 >>BDC\nBT\nET\nEMC', '/P <</MCID 0 >>BDC\nBT\nET\nEMC'],
    [
      'an element, then text with a span',
      '/P <</MCID 0 >>BDC\n/X Do\nEMC\nBT\n/Span <</ActualText <FEFF>>> BDC\n<00> Tj\nEMC\nET\nq',
      '/P <</MCID 0 >>BDC\n/X Do\nEMC\n/Artifact BMC\nBT\n/Span <</ActualText <FEFF>>> BDC\n<00> Tj\nEMC\nET\nEMC\nq',
    ],
  ])('is an artifact: %s', (_, content, expected) => {
    expect(withArtifacts(content)).toBe(expected);
  });
});

it('a glyph without a character gets one that says so', () => {
  const table = '2 beginbfchar\n<0010> <0000>\n<0018> <FEA2>\nendbfchar\n<0001> <0003> <0000>';
  expect(withoutNullCharacters(table)).toBe(
    '2 beginbfchar\n<0010> <FFFD>\n<0018> <FEA2>\nendbfchar\n<0001> <0003> <FFFD>',
  );
});

const whole =
  '%PDF-1.4\n1 0 obj\n<</A 1>>\nendobj\n2 0 obj\n<</Length 3>> stream\nabc\nendstream\nendobj\n';
const table = (first: number, second: number) =>
  `xref\n0 3\n0000000000 65535 f \n${[first, second]
    .map((at) => `${String(at).padStart(10, '0')} 00000 n \n`)
    .join('')}trailer\n<</Size 3\n/Root 1 0 R\n/Info 2 0 R>>\n`;
const end = (at: number) => `startxref\n${at}\n%%EOF\n`;
const file = (body: string, first = 9, second = 33) =>
  Buffer.from(`${body}${table(first, second)}${end(body.length)}`);

describe('a file that is not Chromium’s', () => {
  it('is read when it has its form', async () => {
    const { objects } = await readPdf(file(whole));
    expect([...objects.values()]).toEqual([
      { number: 1, body: '<</A 1>>', stream: null },
      { number: 2, body: '<</Length 3>>', stream: Buffer.from('abc') },
    ]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['words', Buffer.from('not a PDF at all')],
    ['no end', Buffer.from(`${whole}${table(9, 33)}`)],
    ['a table elsewhere', Buffer.from(`${whole}${table(9, 33)}${end(3)}`)],
    ['a table of other places', file(whole, 9, 40)],
    ['an object without end', file(whole.replace('>>\nendobj', '>>\nendob_'))],
    [
      'a stream without dictionary',
      file(whole.replace('<</Length 3>> stream', '<</Length 3>>_stream')),
    ],
  ])('is refused: %s', async (_, bytes) => {
    await expect(readPdf(bytes)).rejects.toThrow('not as Chromium writes them');
  });
});
