import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { tableText } from '../../src/bank/infrastructure/bank-text.js';
import type { BankStatementFile } from '../../src/bank/domain/bank-statement.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

// The encoding of a file is found out by what it reads as; another format is named.

const CENTRAL = 'Příklad s.r.o. Ťuhýk, Łódź Śląska, Győr Tőke';
const WESTERN = 'Müller & Söhne, Straße, Café Zoë';

describe('a text', () => {
  it.each([
    ['utf8', 'Müller Příklad Łódź €'],
    ['utf16le', 'Müller Příklad Łódź €'],
    ['utf16be', 'Müller Příklad Łódź €'],
    ['windows1252', `${WESTERN} – 5 €`],
    ['windows1252', 'Straße'],
    ['windows1252', 'Søren, Peña, Crêpes'],
    ['windows1252', 'Max\u{a0}Mustermann – „Laden“ O’Neill…'],
    ['cp850', WESTERN],
    ['cp437', WESTERN],
    ['windows1250', 'Měťka'],
    ['windows1250', CENTRAL],
    ['windows1250', 'Přerov, Plzeň a Český Krumlov, Jiří Dvořák'],
    ['cp852', 'Csoportos átutalás jóváírása, előző utánvét'],
    ['cp852', 'Přerov, Plzeň a Český Krumlov, Jiří Dvořák'],
  ])('in %s is read: %s', (encoding, text) => {
    const bytes = iconv.encode(text, encoding, { addBOM: encoding.startsWith('utf16') });
    expect(tableText(bytes)).toBe(text);
  });

  it('in UTF-16 needs no mark', () => {
    expect(tableText(Buffer.from('Datum;Betrag', 'utf16le'))).toBe('Datum;Betrag');
    expect(tableText(Buffer.from('Datum;Betrag', 'utf16le').swap16())).toBe('Datum;Betrag');
  });

  it('that reads as well in two encodings is refused with their names', () => {
    // Ålesund in CP850, and Źlesund in Windows-1250.
    const { code, detail } = refusal(() => tableText(Buffer.from('\x8flesund', 'latin1')));
    expect(code).toBe('malformed_statement');
    expect(detail).toMatch(/Windows-1250 or CP850 or .*UTF-8/);
  });

  it('may end as DOS ends a file, and is refused with any other control', () => {
    expect(tableText(Buffer.from('a\r\nb\x1a'))).toBe('a\r\nb');
    expect(tableText(Buffer.from('a\r\nb\x1a\r\n'))).toBe('a\r\nb');
    expect(refusal(() => tableText(Buffer.from('a\nb\x00c'))).detail).toMatch(/line 2 .*0x00/);
  });

  it('of 32 MB is read in time', () => {
    const bytes = Buffer.from('18.11.2026;M\xfcller;250,00\n'.repeat(1_200_000), 'latin1');
    expect(tableText(bytes).slice(11, 17)).toBe('Müller');
  });
});

const zip = (name: string) =>
  Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from(name)]);

describe('another format', () => {
  it.each([
    ['PDF', 'mt940', '%PDF-1.7\n'],
    ['Excel', 'csv', zip('[Content_Types].xml')],
    ['Excel', 'csv', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['zip', 'camt', zip('statement.xml')],
    ['gzip', 'camt', Buffer.from('1f8b0800', 'hex')],
    ['OFX', 'mt940', 'OFXHEADER:100\nDATA:OFXSGML\n'],
    ['OFX', 'camt', '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?><OFX></OFX>'],
    ['QIF', 'csv', '!Type:Bank\nD11/18/2026\nT250.00\n^\n'],
    ['BAI2', 'mt940', '01,122099999,123456789,261118,0200,1,80,1,2/\n'],
    ['CODA', 'mt940', '0000018112672505        00000000  GLOBEX\n'],
    ['MT942', 'mt940', '{1:F01AAAABEBBAXXX0000000000}{2:O9421200}{4:\n:20:X\n'],
    ['web site', 'csv', '<!DOCTYPE html><html>'],
    ['application/xml', 'mt940', '<?xml version="1.0"?><Document/>'],
    ['text/plain', 'csv', ':20:X\n:25:37040044/1\n:60F:C261101EUR1,00\n'],
  ])('is named: %s, sent as %s', (name, format, text) => {
    const bytes = Buffer.from(text as string);
    const { code, detail } = refusal(() =>
      readFile(bankFile(bytes, format as BankStatementFile['format'])),
    );
    expect([code, detail]).toEqual(['malformed_statement', expect.stringContaining(name)]);
  });
});
