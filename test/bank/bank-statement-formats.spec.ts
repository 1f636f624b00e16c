import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { DomainError } from '../../src/kernel/domain-error.js';
import {
  type StatedBankEntry,
  type CsvHints,
  type ParsedBankStatement,
} from '../../src/bank/domain/bank-statement.js';
import { bankEntryKeys } from '../../src/bank/domain/bank-entry-identity.js';
import { bankFixture, NO_HINTS } from '../support/bank-files.js';
import { runsOf } from '../support/share.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

const camt = (text: string | Buffer) => readFile(bankFile(Buffer.from(text), 'camt'));

const V02 = bankFixture('camt053-v02.xml');
const V08 = bankFixture('camt053-v08.xml');

const csv = (text: string | Buffer, hints: Partial<CsvHints> = {}) =>
  readFile(bankFile(Buffer.from(text), 'csv', { hints: { ...NO_HINTS, ...hints } }));

const transactions = ({ sections }: ParsedBankStatement) =>
  sections.flatMap((section) => section.entries);
const inShort = ({ direction, amount, bookedOn }: StatedBankEntry) =>
  `${direction} ${amount} ${bookedOn}`;

const code = (work: () => unknown) => refusal(work).code;
const MALFORMED = 'malformed_statement';

describe('a camt.053 of version 02', () => {
  const read = camt(V02);

  it('tells the account and its balances', () => {
    const [section] = read.sections;
    expect(read.sections).toHaveLength(1);
    expect(section).toMatchObject({
      reference: '2026-00221',
      account: 'DE89370400440532013000',
      currency: 'EUR',
    });
    expect(`${section?.opening?.amount} ${section?.opening?.date}`).toBe('1000.00 EUR 2026-11-17');
    expect(`${section?.closing?.amount} ${section?.closing?.date}`).toBe('1294.05 EUR 2026-11-18');
  });

  it('has what is booked, and a batch as its transactions', () => {
    expect(transactions(read).map(inShort)).toEqual([
      'credit 119.00 EUR 2026-11-18',
      'credit 100.00 EUR 2026-11-18',
      'credit 200.00 EUR 2026-11-18',
      'debit 124.95 EUR 2026-11-18',
    ]);
    expect(read.pending).toBe(1);
  });

  it('says who paid, and what for', () => {
    const [first, second, third, fourth] = transactions(read);
    expect(first).toMatchObject({
      counterpartyName: 'Globex & Söhne GmbH',
      counterpartyIban: 'DE02120300000000202051',
      remittance: 'Rechnung INV- 00001 vom 03.11.',
      endToEndId: null,
      bankReference: '2026111800001',
    });
    expect(second).toMatchObject({
      structuredReference: 'RF18 5390 0754 7034',
      endToEndId: 'E2E-1',
      bankReference: '2026111800002/1',
      valueOn: '2026-11-19',
    });
    expect(third?.bankReference).toBe('2026111800002/2');
    expect(fourth).toMatchObject({ counterpartyName: 'Energie AG', remittance: 'LASTSCHRIFT' });
  });
});

describe('a camt.053 of version 08', () => {
  const read = camt(V08);

  it('has several statements, in other currencies and with prefixes', () => {
    expect(read.sections.map(({ account }) => account)).toEqual([
      'CH9300762011623852957',
      '0815-42',
    ]);
    expect(`${read.sections[0]?.opening?.amount}`).toBe('-12.50 CHF');
    expect(transactions(read).map(inShort)).toEqual([
      'credit 80.00 CHF 2026-11-18',
      'debit 20.00 CHF 2026-11-18',
      'credit 12000 JPY 2026-11-17',
    ]);
    expect(read.pending).toBe(1);
  });

  it('names the payer of a reversed credit', () => {
    const [first, reversal] = transactions(read);
    expect(first).toMatchObject({ counterpartyName: 'Grace Hopper', bankReference: 'TX-77' });
    expect(reversal).toMatchObject({ isReversal: true, counterpartyName: 'Alan Turing' });
  });

  it('keeps a batch whole that does not give its amounts', () => {
    expect(transactions(read)[2]).toMatchObject({
      remittance: 'Collective credit',
      counterpartyName: null,
    });
  });
});

describe('any camt.053', () => {
  it.each(['03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13'])(
    'of version %s is read',
    (version) => {
      const text = V02.replace('camt.053.001.02', `camt.053.001.${version}`);
      expect(transactions(camt(text))).toEqual(transactions(camt(V02)));
    },
  );

  it('may begin with a byte order mark, and be wrapped by its sender', () => {
    expect(camt(`\ufeff${V02}`)).toEqual(camt(V02));
    const wrapped = V02.replace('<Document ', '<Envelope xmlns="urn:x"><Document ');
    expect(camt(`${wrapped}</Envelope>`)).toEqual(camt(V02));
  });

  it('keeps a batch whole whose parts are not its sum', () => {
    const text = V02.replace(
      '<Amt Ccy="EUR">100.00</Amt></TxAmt>',
      '<Amt Ccy="EUR">90</Amt></TxAmt>',
    );
    expect(transactions(camt(text)).map(inShort)).toContain('credit 300.00 EUR 2026-11-18');
    const foreign = V02.replace(
      '<Amt Ccy="EUR">100.00</Amt></TxAmt>',
      '<Amt Ccy="USD">100</Amt></TxAmt>',
    );
    expect(transactions(camt(foreign)).map(inShort)).toContain('credit 300.00 EUR 2026-11-18');
  });
});

describe('a hostile or broken camt.053', () => {
  const entity = (declared: string, used: string) =>
    V02.replace('?>', `?><!DOCTYPE Document [${declared}]>`).replace('Ada Lovelace', used);
  const lol = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  );

  it.each([
    ['a billion laughs', entity(`<!ENTITY l0 "lol">${lol.join('')}`, '&l9;')],
    ['an external entity', entity('<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;')],
    ['a parameter entity', entity('<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;', 'A')],
    ['a document type alone', V02.replace('?>', '?><!DOCTYPE Document>')],
    ['an entity that nobody declared', V02.replace('Ada Lovelace', '&eacute;')],
    ['deep nesting', V02.replace('Ada Lovelace', '<a>'.repeat(5000) + '</a>'.repeat(5000))],
    ['an end that is missing', V02.slice(0, -20)],
    ['a wrong end', V02.replace('</Dbtr>', '</Cdtr>')],
    ['something behind the end', `${V02}<x/>`],
    ['a prefix that is bound to nothing', V02.replace('<Nm>Ada Lovelace</Nm>', '<x:Nm>A</x:Nm>')],
    ['nothing', ''],
    ['white space', '  \n'],
    ['no XML', 'Buchungstag;Betrag'],
    ['JSON', '{"a":1}'],
    ['another message', V02.replace('camt.053', 'camt.056')],
    ['a version to come', V02.replace('053.001.02', '053.001.14')],
    ['a version before', V02.replace('053.001.02', '053.001.01')],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['no statement', V02.replace(/<Stmt>.*<\/Stmt>/s, '')],
    ['an encoding that it is not in', V02.replace('UTF-8', 'UTF-16')],
    ['another encoding', Buffer.from(V02.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['bytes that are not UTF-8', Buffer.from(V02, 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${V02}`, 'utf16le')],
    ['a huge number', V02.replace('119.00', '9'.repeat(400))],
    ['more than the largest amount', V02.replace('119.00', '100000000000.01')],
    ['an exponent', V02.replace('119.00', '1e3')],
    ['a hexadecimal number', V02.replace('119.00', '0x77')],
    ['a negative amount', V02.replace('119.00', '-119.00')],
    ['a decimal comma', V02.replace('119.00', '119,00')],
    ['half a cent', V02.replace('119.00', '119.005')],
    ['no amount', V02.replace('119.00', '')],
    ['an unknown currency', V02.replaceAll('"EUR">119', '"EUX">119')],
    ['no currency', V02.replace(' Ccy="EUR">119', '>119')],
    ['no direction', V02.replace('119.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>', '119.00</Amt>')],
    ['another direction', V02.replace('119.00</Amt><CdtDbtInd>CRDT', '119.00</Amt><CdtDbtInd>X')],
    ['no status', V02.replace('<Sts>BOOK</Sts>', '')],
    [
      'a date that does not exist',
      V02.replace('<BookgDt><Dt>2026-11-18', '<BookgDt><Dt>2026-02-30'),
    ],
    ['an odd reversal', V08.replace('>true<', '>perhaps<')],
  ])('with %s is refused', (_, text) => {
    expect(code(() => camt(text as string))).toBe(MALFORMED);
  });

  it('of any bytes is read or refused, and never breaks anything', () => {
    const cut = fc.tuple(fc.nat(V02.length), fc.nat(40), fc.string());
    fc.assert(
      fc.property(cut, ([at, length, put]) => {
        const text = V02.slice(0, at) + put + V02.slice(at + length);
        try {
          camt(text);
        } catch (error) {
          expect((error as DomainError).code).toBe(MALFORMED);
        }
      }),
      runsOf(300),
    );
  });

  it('is refused soon, whatever it would grow to', () => {
    const before = process.memoryUsage().heapUsed;
    expect(code(() => camt(entity(`<!ENTITY l0 "lol">${lol.join('')}`, '&l9;')))).toBe(MALFORMED);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });
});

describe('a CSV file', () => {
  it('is read as German banks write it, below lines about the account', () => {
    const text = [
      '"Girokonto";"DE89370400440532013000"',
      '"Kontostand vom 18.11.2026:";"1.294,05 EUR"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Verwendungszweck";"IBAN";"Betrag (€)";"Währung"',
      '"18.11.26";"18.11.26";"Gebucht";"Globex GmbH";"RE INV-00001";"DE02 1203 0000 0000 2020 51";"1.119,00";"EUR"',
      '"18.11.26";"18.11.26";"Gebucht";"Energie AG";"Abschlag; November";"";"-124,95";"EUR"',
      '"19.11.26";"";"Vorgemerkt";"Ada";"";"";"5,00";"EUR"',
    ].join('\r\n');
    const read = csv(text);
    expect(transactions(read).map(inShort)).toEqual([
      'credit 1119.00 EUR 2026-11-18',
      'debit 124.95 EUR 2026-11-18',
    ]);
    expect(read.pending).toBe(1);
    expect(transactions(read)[0]).toMatchObject({
      counterpartyName: 'Globex GmbH',
      counterpartyIban: 'DE02120300000000202051',
      remittance: 'RE INV-00001',
    });
    expect(transactions(read)[1]?.remittance).toBe('Abschlag; November');
  });

  it('is read in English, with a currency in the header and two columns of amounts', () => {
    const text =
      'Date,Description,Paid out (GBP),Paid in (GBP),Transaction ID\n' +
      '2026-11-18,Globex INV-1,,"1,250.00",T1\n2026-11-18,Rent,900.5,,T2\n';
    expect(transactions(csv(text)).map(inShort)).toEqual([
      'credit 1250.00 GBP 2026-11-18',
      'debit 900.50 GBP 2026-11-18',
    ]);
  });

  it('is read with tabs, a column for the direction, and in Windows-1252', () => {
    const text = 'Buchungstag\tBetrag\tWährung\tSoll/Haben\tName\n3.11.2026\t5,5\tEUR\tS\tBäcker\n';
    expect(transactions(csv(Buffer.from(text, 'latin1')))[0]).toMatchObject({
      direction: 'debit',
      counterpartyName: 'Bäcker',
      bookedOn: '2026-11-03',
    });
  });

  it('is read as the caller says, where it does not say itself', () => {
    const text = 'When|What|How much\n03/11/2026|INV-1|1.234\n';
    const columns = new Map([
      ['booked_on', 'When'],
      ['remittance', 'What'],
      ['amount', 'how much'],
    ]);
    const hints = { columns, currency: 'EUR', delimiter: '|', account: 'DE89370400440532013000' };
    const inEurope = { ...hints, dateFormat: 'dd/mm/yyyy', decimal: 'comma' } as const;
    const inAmerica = { ...hints, dateFormat: 'mm/dd/yyyy', decimal: 'point' } as const;
    expect(transactions(csv(text, inEurope)).map(inShort)).toEqual([
      'credit 1234.00 EUR 2026-11-03',
    ]);
    expect(csv(text, inEurope).sections[0]?.account).toBe('DE89370400440532013000');
    expect(code(() => csv(text, inAmerica))).toBe(MALFORMED);
    const cents = text.replace('1.234', '1.23');
    expect(transactions(csv(cents, inAmerica)).map(inShort)).toEqual([
      'credit 1.23 EUR 2026-03-11',
    ]);
  });

  it.each([
    ['12,30', 1230n],
    ['-12,30', 1230n],
    ['12,30-', 1230n],
    ['+ 12,30', 1230n],
    ['1.234.567,89', 123_456_789n],
    ['1 234,50', 123_450n],
    ['12,3 EUR', 1230n],
    ['0,00', 0n],
  ])('has the amount %s', (text, minor) => {
    const [one] = transactions(csv(`Datum;Betrag;Währung\n2026-11-03;${text};EUR\n`));
    expect(one?.amount.minor).toBe(minor);
    expect(one?.direction).toBe(text.includes('-') ? 'debit' : 'credit');
  });

  it('is refused with every wrong value and its line', () => {
    const { errors, code: refused } = refusal(() =>
      csv(
        'Datum;Betrag;Währung\n2026-02-30;1,00;EUR\n2026-11-03;1,0,0;EUR\n2026-11-03;1,00;DM\n' +
          '03/04/2026;1,00;EUR\n2026-11-03;1,00;EUR\n',
      ),
    );
    expect(refused).toBe(MALFORMED);
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/rows/2/booked_on',
      '/rows/3/amount',
      '/rows/4/currency',
      '/rows/5/booked_on',
    ]);
  });

  it('lists a hundred wrong values at most', () => {
    const rows = Array.from({ length: 150 }, () => 'x;y;EUR').join('\n');
    expect(refusal(() => csv(`Datum;Betrag;Währung\n${rows}`)).errors).toHaveLength(100);
  });

  it.each([
    ['thousands or cents', 'Datum;Betrag;Währung\n2026-11-03;1.234;EUR'],
    ['both signs', 'Datum;Betrag;Währung\n2026-11-03;1.23;EUR\n2026-11-03;1,23;EUR'],
    ['thousands that are no threes', 'Datum;Betrag;Währung\n2026-11-03;1.23.456,00;EUR'],
    ['two signs', 'Datum;Betrag;Währung\n2026-11-03;-1,00-;EUR'],
    ['an exponent', 'Datum;Betrag;Währung\n2026-11-03;1e3;EUR'],
    ['a fraction of a cent', 'Datum;Betrag;Währung\n2026-11-03;1,005;EUR\n2026-11-03;1,00;EUR'],
    ['no currency', 'Datum;Betrag\n2026-11-03;1,00'],
    ['no date', 'Betrag;Währung\n1,00;EUR'],
    ['two dates', 'Datum;Buchungstag;Betrag;Währung\n2026-11-03;2026-11-03;1,00;EUR'],
    ['a credit and a debit', 'Date;Credit;Debit;Currency\n2026-11-03;1.00;2.00;EUR'],
    ['neither', 'Date;Credit;Debit;Currency\n2026-11-03;;;EUR'],
    ['no delimiter', 'Datum'],
    ['a quote that does not end', 'Datum;Betrag;Währung\n"2026-11-03;1,00;EUR'],
    ['nothing', ''],
    ['an endless cell', `Datum;Betrag;Währung\n${'9'.repeat(50_000)};1,00;EUR`],
    ['a huge amount', `Datum;Betrag;Währung\n2026-11-03;${'9'.repeat(60)};EUR`],
  ])('with %s is refused', (_, text) => {
    expect(code(() => csv(text as string))).toBe(MALFORMED);
  });
});

const keysOf = (read: ParsedBankStatement) =>
  read.sections.flatMap((section) => bankEntryKeys(section).map(({ key }) => key.toString('hex')));
const row = (day: number, text: string) => `2026-11-0${day};1,00;EUR;${text}`;
const file = (...rows: string[]) => csv(['Datum;Betrag;Währung;Text', ...rows].join('\n'));

describe('the key of an entry', () => {
  it('is its own, also where two entries are equal', () => {
    const rows = ['2026-11-03;1,00;EUR;A', '2026-11-03;1,00;EUR;A', '2026-11-04;1,00;EUR;A'];
    const keys = keysOf(csv(['Datum;Betrag;Währung;Text', ...rows].join('\n')));
    expect(new Set(keys).size).toBe(3);
  });

  it('is the same in a file that overlaps', () => {
    const [before, rest] = [keysOf(camt(V02)), keysOf(camt(V02.replace('2026-00221', '2026-9')))];
    expect(rest).toEqual(before);
    const first = keysOf(file(row(3, 'A'), row(4, 'A'), row(4, 'A')));
    const second = keysOf(file(row(4, 'A'), row(4, 'A'), row(5, 'A')));
    expect(second.filter((key) => first.includes(key))).toEqual(first.slice(1));
  });

  it('is another one for another account', () => {
    const other = V02.replace('DE89370400440532013000', 'DE75512108001245126199');
    expect(keysOf(camt(other)).filter((key) => keysOf(camt(V02)).includes(key))).toEqual([]);
  });
});
