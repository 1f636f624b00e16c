import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatedBankEntry } from '../../src/bank/domain/bank-statement.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { bankFixture } from '../support/bank-files.js';
import { runsOf } from '../support/share.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

// Fields 61 and 86 as real banks write them. The forms are theirs, names and amounts are not.

const HEAD = ':20:STARTUMS\n:25:37040044/0532013000\n:28C:1/1\n:60F:C261101EUR1000,00\n';
const message = (fields: string) => `${HEAD}${fields}\n:62F:C261120EUR1250,00\n-\n`;
const read = (text: string) => readFile(bankFile(Buffer.from(text), 'mt940'));

function entryOf(fields: string): StatedBankEntry {
  const [entry, more] = read(message(fields)).sections.flatMap(({ entries }) => entries);
  if (!entry || more) throw new Error('not one entry');
  return entry;
}

const details = (lines: string) => entryOf(`:61:2611201120C250,00NTRFNONREF\n:86:${lines}`);
const unused = (fields: string) => read(message(fields)).unused;

describe('field 61', () => {
  it.each([
    ['without a day of its own', '261120C250,00NTRFNONREF'],
    ['with blanks for its day', '261120    C250,00NTRFNONREF'],
    ['with a funds code', '2611201120CR250,00NTRFNONREF'],
    ['with the funds code D', '2611201120CD250,00NTRFNONREF'],
    ['with a slash', '2611201120CK250,00NTRFOverforing m/KID'],
    ['with several slashes', '2611201120C250,00NMSC341241773/1X//O/341241774'],
    ['with a blank before the type', '2611201120C250,00 NTRFNONREF//B5'],
    ['with a padded type', '261120C250,00NOV NONREF'],
    ['with a type of blanks', '2611201120C250,00S   X'],
    ['without a type', '2611201120C250,00//19239782213'],
    ['without decimals', '2611201120C250NTRFNONREF'],
    ['with a point', '261120C000000000250.00NMSCNONREF'],
    ['with a long name', '261120C250,00N060NONREF          T-MOBILE NETHERLANDS B.V. AMSTERDAM   '],
  ])('is read %s', (_, line) => {
    const { direction, amount, bookedOn } = entryOf(`:61:${line}`);
    expect(`${direction} ${amount} ${bookedOn}`).toBe('credit 250.00 EUR 2026-11-20');
  });

  it.each([
    ['a point between thousands', '2611201120C1.250NTRFNONREF'],
    ['two signs', '2611201120C1.250,00NTRFNONREF'],
    ['half a day', '26112011C250,00NTRFNONREF'],
    ['no mark', '2611201120250,00NTRFNONREF'],
    ['the thirtieth of February, and no other day', '260230C250,00NTRFNONREF'],
  ])('is refused with %s', (_, line) => {
    expect(refusal(() => entryOf(`:61:${line}`)).code).toBe('malformed_statement');
  });

  it('has no value date where interest is of the thirtieth of February', () => {
    const { bookedOn, valueOn } = entryOf(':61:2602300301C250,00NINTNONREF');
    expect([bookedOn, valueOn]).toEqual(['2026-03-01', null]);
  });

  it.each([
    ['NTRFNONREF//B5', null, 'B5'],
    ['NTRFE2E-1//B5', 'E2E-1', 'B5'],
    ['NTRFKREF+//2016021783252833', null, '2016021783252833'],
    ['N544EREF', null, null],
    ['NDDTMARF', null, null],
    ['NTRFNONREF//NONREF', null, null],
    ['NTRF0000000//000000', null, null],
    ['FMSCNONREF//GMREF', null, null],
    ['NTRFOverforing med//melding', null, null],
    ['NMSCNONREF//', null, null],
  ])('has the references of %s', (text, endToEndId, bankReference) => {
    expect(entryOf(`:61:2611201120C250,00${text}`)).toMatchObject({ endToEndId, bankReference });
  });

  it('keeps words where a reference should be', () => {
    const words = 'Fees according to advice';
    expect(entryOf(':61:2611201120D5,00NCHGFees according//to advice')).toMatchObject({
      remittance: words,
      transactionType: words,
    });
    const both = entryOf(':61:2611201120D5,00NCHGFees according//to advice\n:86:October');
    expect(both).toMatchObject({ remittance: 'October', transactionType: words });
    expect(entryOf(':61:261120D5,00N031\nDíj, jutalék\n:86:X1')).toMatchObject({
      remittance: 'X1',
      transactionType: 'Díj, jutalék',
    });
  });

  it.each([
    [
      'ASN and SNS',
      ':61:261120C250,00NOVBNL02ABNA0123456789\nglobex b.v.\n:86:NL02ABNA0123456789 globex b.v.',
    ],
    ['Rabobank', ':61:261120C250,00N541EREF\nNL02ABNA0123456789\n:86:/ORDP//NAME/globex b.v.'],
  ])('tells the other side, as %s write it', (_, fields) => {
    expect(entryOf(fields)).toMatchObject({
      counterpartyIban: 'NL02ABNA0123456789',
      counterpartyName: 'globex b.v.',
      endToEndId: null,
    });
  });

  it('tells a name behind an account', () => {
    const fields = ':61:261120C250,00N0440121470966      W.P. Jansen     \n:86:FACTUUR 1';
    expect(entryOf(fields)).toMatchObject({ counterpartyName: 'W.P. Jansen', endToEndId: null });
    expect(unused(fields)).toEqual(['the account in :61:']);
  });
});

describe('field 86 of German banks', () => {
  it('has a label behind a full subfield', () => {
    const { remittance, endToEndId } = details(
      '166?00GUTSCHRIFT?20EREF+E2E-000000000000000000001?21SVWZ+Rechnung 1?22 und 2',
    );
    expect([remittance, endToEndId]).toEqual(['Rechnung 1 und 2', 'E2E-000000000000000000001']);
  });

  it('has a label that is cut between two subfields', () => {
    const { remittance, endToEndId } = details(
      '166?00GUTSCHRIFT?20EREF+E2E-000000000000000 SV?21WZ+Rechnung 1',
    );
    expect([remittance, endToEndId]).toEqual(['Rechnung 1', 'E2E-000000000000000']);
  });

  it('keeps the sign in a text, and what stands in a place or behind a label that is not known', () => {
    const lines = '166?00GUTSCHRIFT?20SVWZ+Was? 20 Euro?21XYZA+INV-1?32GLOBEX?77more';
    expect(details(lines).remittance).toBe('Was? 20 Euro XYZA+INV-1 ?77more');
    expect(unused(`:61:2611201120C250,00NTRFNONREF\n:86:${lines}`)).toEqual(['XYZA+', '?77']);
  });

  it('takes no words for a label', () => {
    const lines = '166?00GUTSCHRIFT?20SVWZ+Fuer ABCD+EFGH';
    expect(details(lines).remittance).toBe('Fuer ABCD+EFGH');
    expect(unused(`:61:2611201120C250,00NTRFNONREF\n:86:${lines}`)).toEqual([]);
    expect(details('472.42.1 FAKTUUR').remittance).toBe('472.42.1 FAKTUUR');
  });

  it('has the other side as Triodos writes it', () => {
    const lines =
      '000>100000000000\n>20RABONL2U\n>21NL02ABNA0123456789\n>22FACTUUR 1 >310454545454';
    expect(details(lines)).toMatchObject({ counterpartyIban: 'NL02ABNA0123456789' });
  });
});

describe('a placeholder in field 86', () => {
  it.each([
    ['of Germany', '166?00GUTSCHRIFT?20EREF+NOTPROVIDED?21SVWZ+INV-1'],
    ['of the Netherlands', '/TRTP/SEPA/NAME/GLOBEX/REMI/INV-1/EREF/UNKNOWN/'],
    ['in words', 'SEPA OVERBOEKING IBAN: NL02ABNA0123456789 NAAM: GLOBEX KENMERK: NOTPROVIDED'],
  ])('%s is no id from end to end', (_, lines) => {
    expect(details(lines).endToEndId).toBeNull();
  });
});

describe('field 86 with labels of Dutch banks', () => {
  it('has a name without its address', () => {
    expect(details('/EREF/E1/ORDP//NAME/GLOBEX/ADDR/Main St 1/REMI//REMI/INV-1')).toMatchObject({
      counterpartyName: 'GLOBEX',
      remittance: 'INV-1',
    });
  });

  it('keeps labels in the words of the payer, and those that are not known', () => {
    const lines = '/TRTP/SEPA/NAME/GLOBEX/BBAN/90000014/REMI/INV/ABCD/1/SUM/2/PURP/OTHR/';
    expect(details(lines).remittance).toBe('INV/ABCD/1/SUM/2 /BBAN/90000014');
    expect(unused(`:61:2611201120C250,00NTRFNONREF\n:86:${lines}`)).toEqual(['/BBAN/']);
  });

  it('takes no words for a label', () => {
    const lines = '/NAME/GLOBEX/REMI/INV 1 /ABCD/2';
    expect(details(lines).remittance).toBe('INV 1 /ABCD/2');
    expect(unused(`:61:2611201120C250,00NTRFNONREF\n:86:${lines}`)).toEqual([]);
  });

  it('goes on in the next line where a line is full', () => {
    const first = `/NAME/GLOBEX/REMI/${'x'.repeat(37)} FACTUUR 2`;
    expect(details(`${first}\n01`).remittance).toMatch(/FACTUUR 201$/);
    expect(details('/NAME/GLOBEX/REMI/NR.1/11.3.2013\nNR.2').remittance).toBe(
      'NR.1/11.3.2013 NR.2',
    );
  });
});

describe('field 86 with words', () => {
  it.each([
    [
      'ABN AMRO',
      'SEPA OVERBOEKING                 IBAN: NL02ABNA0123456789\nBIC: ABNANL2A                    NAAM: GLOBEX BV\nOMSCHRIJVING: FACTUUR 1\nKENMERK: E2E-1',
      ['GLOBEX BV', 'NL02ABNA0123456789', 'FACTUUR 1', 'E2E-1'],
    ],
    [
      'Knab',
      'FACTUUR 1 AND MUCH MORE THAT THE PAYER HAS WRITTEN IN CAPITAL LETTE\nREK: NL02ABNA0123456789/NAAM: GLOBEX BV',
      [
        'GLOBEX BV',
        'NL02ABNA0123456789',
        'FACTUUR 1 AND MUCH MORE THAT THE PAYER HAS WRITTEN IN CAPITAL LETTE',
        null,
      ],
    ],
    [
      'mBank',
      '911 TRANSAKCJA COLLECT; Z RACH.: \n56114010810000267002001001; OD: JAN NOWAK; TYT.: FAKTURA 1;\nTNR: 179171073864111',
      ['JAN NOWAK', 'PL56114010810000267002001001', 'FAKTURA 1', null],
    ],
  ])('of %s', (_, lines, expected) => {
    const { counterpartyName, counterpartyIban, remittance, endToEndId } = details(lines);
    expect([counterpartyName, counterpartyIban, remittance, endToEndId]).toEqual(expected);
  });

  it('belongs to its entry wherever there are several', () => {
    const fields = ':61:261120C250,00N060NONREF\n:86:BETALINGSKENM. 123  \n:86:FACTUUR 1';
    expect(entryOf(fields).remittance).toBe('BETALINGSKENM. 123 FACTUUR 1');
  });

  it('may have a line that looks like a field', () => {
    expect(details('DINSDAG 2 ABC-1 00\n:00:00 FACTUUR 1').remittance).toBe(
      'DINSDAG 2 ABC-1 00 :00:00 FACTUUR 1',
    );
  });
});

const said = (text: string) => refusal(() => read(text)).detail;

describe('a message', () => {
  it('has fields that are not known by name', () => {
    expect(unused(':61:2611201120C250,00NTRFNONREF\n:NS:22JOHN DOE\n23John')).toEqual([':NS:']);
  });

  it('is refused without an account, and as what it is', () => {
    const entry = ':61:2611201120C250,00NTRFNONREF';
    expect(said(message(entry).replace(/:25:.*\n/, ''))).toMatch(/account/);
    expect(said(message(entry).replace(':60F:C261101EUR1000,00', ':34F:EURD0,00'))).toMatch(
      /MT942/,
    );
  });
});

describe('any file', () => {
  const files = ['deutsche.sta', 'swift.sta'].map(bankFixture);

  it('is read or refused, and never breaks anything', () => {
    const cut = fc.tuple(fc.constantFrom(...files), fc.nat(1500), fc.nat(40), fc.string());
    fc.assert(
      fc.property(cut, ([text, at, length, put]) => {
        try {
          read(text.slice(0, at) + put + text.slice(at + length));
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      runsOf(300),
    );
  });

  it.each([
    ['labels in words', '/REMI/a', '/ABCD/'.repeat(300)],
    ['unknown labels', '/NAME/a', '/ABCD/b'.repeat(280)],
    ['subfields', '166?00A', '?20ABCD+x'.repeat(200)],
    ['words', 'NAAM: a', ' IBAN: b'.repeat(200)],
    ['blanks', 'a', ' '.repeat(1900)],
  ])('with a field of 1 MB is read in time: %s', (_, first, line) => {
    const lines = Array.from({ length: 500 }, () => line);
    expect(details([first, ...lines].join('\n')).amount.minor).toBe(25_000n);
  });

  it('with 20,000 entries is read in time', () => {
    const entries = Array.from(
      { length: 20_000 },
      () => ':61:2611201120C250,00NTRFNONREF\n:86:/NAME/A/REMI/B',
    );
    const [section] = read(message(entries.join('\n'))).sections;
    expect(section?.entries).toHaveLength(20_000);
  });
});
