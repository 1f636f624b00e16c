import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assertContent } from '../../src/documents/domain/attachments/attached-types.js';
import { isFileName } from '../../src/documents/domain/attachments/attachment.js';
import { ATTACHED_TYPES, type AttachedType } from '../../src/kernel/attachment-limits.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { aPhoto, aPng } from '../support/images.js';
import { aPdf, aPdfWithPacked, aZip, ODS_PARTS, XLSX_PARTS } from './attached-files.js';

const [PDF, PNG, JPEG, CSV, XLSX, ODS] = ATTACHED_TYPES;

/** Whether a file is taken; else the code of the refusal. */
function judged(file: Buffer | string, type: AttachedType): string {
  try {
    assertContent(typeof file === 'string' ? Buffer.from(file, 'utf8') : file, type);
    return 'taken';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
}

const REFUSED = 'invalid_attachment';

const hybrid = readFileSync(new URL('../../docs/e-invoices/factur-x-invoice.pdf', import.meta.url));

const FILES: [AttachedType, () => Buffer | Promise<Buffer>][] = [
  [PDF, () => aPdf()],
  [PNG, () => aPng({ width: 3, height: 2 })],
  [JPEG, () => aPhoto(4, 2)],
  [CSV, () => Buffer.from('day;hours\n2026-11-02;7,5\nGröße;日本\n')],
  [XLSX, () => aZip(XLSX_PARTS)],
  [ODS, () => aZip(ODS_PARTS)],
];

describe('a file that supports a document', () => {
  it.each(FILES)('is taken as %s, and as nothing else', async (type, make) => {
    const file = await make();
    const taken = ATTACHED_TYPES.filter((one) => judged(file, one) === 'taken');
    expect(taken).toEqual([type]);
  });

  it.each(ATTACHED_TYPES)('is refused as %s if it is empty or of another kind', (type) => {
    expect(judged('', type)).toBe(REFUSED);
    expect(judged(Buffer.from('4d5a900003000000', 'hex'), type)).toBe(REFUSED);
    expect(judged(Buffer.from('\0'), type)).toBe(REFUSED);
  });

  it('is refused if its end is missing', async () => {
    expect(judged(aPdf(undefined, ''), PDF)).toBe(REFUSED);
    expect(judged(aPng({ width: 3, height: 2 }).subarray(0, 40), PNG)).toBe(REFUSED);
    expect(judged((await aPhoto(4, 2)).subarray(0, 100), JPEG)).toBe(REFUSED);
    expect(judged(aZip(XLSX_PARTS).subarray(0, -1), XLSX)).toBe(REFUSED);
  });
});

describe('text', () => {
  it.each(['a;b\r\n', '\u{feff}a\tb', 'שלום;1'])('may be %j', (text) => {
    expect(judged(text, CSV)).toBe('taken');
  });

  it('is UTF-8 without control characters', () => {
    expect(judged(Buffer.from('Größe', 'latin1'), CSV)).toBe(REFUSED);
    expect(judged('a\u001b[2Jb', CSV)).toBe(REFUSED);
    expect(judged('<script>alert(1)</script>', CSV)).toBe(REFUSED);
    expect(judged('#!/bin/sh\nid', CSV)).toBe(REFUSED);
    expect(judged(Buffer.from('a;b', 'utf16le'), CSV)).toBe(REFUSED);
  });
});

const obj = (words: string) => `7 0 obj\n<<${words}>>\nendobj\n`;

describe('a PDF', () => {
  it.each([
    ['/S /JavaScript /JS (app.alert(1))'],
    ['/S /#4aava#53cript /JS (app.alert(1))'],
    ['/S /Launch /F (calc.exe)'],
    ['/S /Rendition /JS (1)'],
    ['/Subtype /RichMedia'],
    ['/AcroForm <</XFA 8 0 R>>'],
    ['/Encrypt 9 0 R'],
    ['/Names <</EmbeddedFiles 9 0 R>> /F (calc.exe) /EF <</F 8 0 R>>'],
    ['/Names <</EmbeddedFiles 9 0 R>> /F (a.xml) /UF (calc.exe) /EF <</F 8 0 R>>'],
    ['/Names <</EmbeddedFiles 9 0 R>> /F 12 0 R /EF <</F 8 0 R>>'],
    ['/Subtype /FileAttachment /FS 9 0 R'],
  ])('that says %s is refused', (words) => {
    expect(judged(aPdf(obj(words)), PDF)).toBe(REFUSED);
    expect(judged(aPdfWithPacked(obj(words)), PDF)).toBe(REFUSED);
  });

  it.each([
    '/Type /JavaScripting',
    '/Title (How to write JavaScript)',
    '/Names <</EmbeddedFiles 9 0 R>> /UF <feff0061002e0078006d006c> /EF <</UF 8 0 R>>',
  ])('that says %s is taken', (words) => {
    expect(judged(aPdf(obj(words)), PDF)).toBe('taken');
    expect(judged(aPdfWithPacked(obj(words)), PDF)).toBe('taken');
  });

  it('may be a hybrid invoice', () => {
    expect(hybrid.includes('/EmbeddedFiles')).toBe(true);
    expect(judged(hybrid, PDF)).toBe('taken');
    const evil = hybrid.toString('latin1').replaceAll('factur-x.xml', 'factur-x.exe');
    expect(judged(Buffer.from(evil, 'latin1'), PDF)).toBe(REFUSED);
  });

  it('whose packed objects cannot be looked into is refused', () => {
    const objects = obj('/Type /Page');
    const packed = (dictionary: string) => judged(aPdfWithPacked(objects, dictionary), PDF);
    expect(packed('/Type /ObjStm /Filter /FlateDecode')).toBe('taken');
    expect(packed('/Type /ObjStm /Filter /LZWDecode')).toBe(REFUSED);
    expect(packed('/Type /ObjStm /Filter [/FlateDecode /ASCIIHexDecode]')).toBe(REFUSED);
    expect(packed('/Type /ObjStm /Filter /FlateDecode /DecodeParms <</Predictor 12>>')).toBe(
      REFUSED,
    );
    expect(packed('/Type /#4fbjStm /Filter /FlateDecode')).toBe(REFUSED);
  });

  it('with names that are spelled in numbers, again and again, is refused', () => {
    expect(judged(aPdf('/#4a#4a#4a'.repeat(9000)), PDF)).toBe('taken');
    expect(judged(aPdf('/#4a#4a#4a'.repeat(11_000)), PDF)).toBe(REFUSED);
  });

  it('is not unpacked beyond a bound', () => {
    const bomb = aPdfWithPacked(Buffer.alloc(200_000_000, ' '));
    expect(bomb.length).toBeLessThan(300_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(judged(bomb, PDF)).toBe(REFUSED);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});

const sheetWith = (part: object) => judged(aZip({ ...XLSX_PARTS, 'xl/a.xml': part }), XLSX);

describe('a sheet', () => {
  it.each([
    ['xl/vbaProject.bin', XLSX, XLSX_PARTS],
    ['xl/activeX/activeX1.xml', XLSX, XLSX_PARTS],
    ['xl/embeddings/oleObject1.bin', XLSX, XLSX_PARTS],
    ['xl/macrosheets/sheet1.xml', XLSX, XLSX_PARTS],
    ['Basic/Standard/Module1.xml', ODS, ODS_PARTS],
    ['Scripts/python/a.py', ODS, ODS_PARTS],
  ] as const)('with %s is refused', (part, type, parts) => {
    expect(judged(aZip({ ...parts, [part]: {} }), type)).toBe(REFUSED);
  });

  it('may have settings of a printer', () => {
    const part = 'xl/printerSettings/printerSettings1.bin';
    expect(judged(aZip({ ...XLSX_PARTS, [part]: {} }), XLSX)).toBe('taken');
  });

  it('is refused where it is encrypted, or says to be a bomb', () => {
    expect(sheetWith({})).toBe('taken');
    expect(sheetWith({ isEncrypted: true })).toBe(REFUSED);
    expect(sheetWith({ bytes: 4_000_000_000 })).toBe(REFUSED);
  });

  it('has nothing before its first part, and nothing behind its last', () => {
    const sheet = aZip(XLSX_PARTS);
    expect(judged(Buffer.concat([Buffer.from('MZ'), sheet]), XLSX)).toBe(REFUSED);
    expect(judged(Buffer.concat([sheet, Buffer.from('MZ')]), XLSX)).toBe(REFUSED);
  });

  it('says by its first part that it is of OpenDocument', () => {
    const { mimetype, ...others } = ODS_PARTS;
    expect(judged(aZip({ ...others, mimetype }), ODS)).toBe(REFUSED);
    const text = { content: 'application/vnd.oasis.opendocument.text' };
    expect(judged(aZip({ mimetype: text, ...others }), ODS)).toBe(REFUSED);
  });
});

describe('the name of a file', () => {
  it.each(['a.pdf', 'Größe & Co.pdf', '作業 時間.csv', 'חשבון.pdf', "d'été (2).xlsx"])(
    'may be %s',
    (name) => expect(isFileName(name)).toBe(true),
  );

  it.each([
    '../a.pdf',
    'a/b.pdf',
    'a\\b.pdf',
    'C:a.pdf',
    '.pdf',
    ' a.pdf',
    'a.pdf.',
    'a.pdf ',
    'a\r\nb.pdf',
    'a\u0000.pdf',
    'a\u2028b.pdf',
    'a"b.pdf',
    'exe.\u202efdp',
    'a\u2066b.pdf',
    'a\u200fb.pdf',
  ])('is not %j', (name) => expect(isFileName(name)).toBe(false));
});
