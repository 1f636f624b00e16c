import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type BankStatementFile,
  movedBy,
  type ParsedBankStatement,
} from '../../src/bank/domain/bank-statement.js';
import { bankEntryKeys } from '../../src/bank/domain/bank-entry-identity.js';
import { Money } from '../../src/kernel/money.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

// Files as each bank writes them: all of what was paid, and nothing that was not.

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/bank/${name}`, import.meta.url));

function read(name: string, over: Partial<BankStatementFile> = {}): ParsedBankStatement {
  const format = { xml: 'camt', csv: 'csv', sta: 'mt940' }[name.slice(-3)] ?? 'csv';
  return readFile(bankFile(fixture(name), format as BankStatementFile['format'], over));
}

/** `+119.00 EUR 2026-11-18 -0.20 Globex | text | reference`, and what was kept out. */
function told({ sections, pending, rejected }: ParsedBankStatement) {
  const entries = sections.flatMap((section) =>
    section.entries.map((one) => {
      const sign = one.direction === 'credit' ? '+' : '-';
      const fee = one.fee.isZero() ? '' : ` fee ${one.fee.minor}`;
      const reference = one.endToEndId ?? one.bankReference ?? '';
      return `${sign}${one.amount} ${one.bookedOn}${fee} ${one.counterpartyName} | ${one.remittance ?? ''} | ${reference}`;
    }),
  );
  return { accounts: sections.map(({ account }) => account), entries, pending, rejected };
}

const OWN = 'DE89370400440532013000';
const REVOLUT = '650f0a11-0000-4000-8000-00000000000';

describe('the file of', () => {
  it('Sparkasse, CSV-CAMT V2, has its returned debit with the fee apart', () => {
    const statement = read('sparkasse-camt-v2.csv');
    expect(told(statement)).toEqual({
      accounts: [OWN],
      entries: [
        '+1119.00 EUR 2026-11-18 Globex & Söhne GmbH | RE INV-00001 vom 03.11. | E2E-1',
        '-119.00 EUR 2026-11-18 fee 350 Ada Lovelace | MD06 INV-00002 | E2E-2',
      ],
      pending: 1,
      rejected: 0,
    });
    expect(statement.sections[0]?.entries[1]?.transactionType).toBe('RUECKLASTSCHRIFT');
  });

  it('Sparkasse, CSV-CAMT V8', () => {
    expect(told(read('sparkasse-camt-v8.csv'))).toEqual({
      accounts: [OWN],
      entries: [
        '+1119.00 EUR 2026-11-18 Globex & Söhne GmbH | RE INV-00001 vom 03.11. | E2E-1',
        '-124.95 EUR 2026-11-18 Energie AG | Abschlag November | ',
      ],
      pending: 0,
      rejected: 0,
    });
  });

  it('N26', () => {
    expect(told(read('n26.csv')).entries).toEqual([
      '+119.00 EUR 2026-11-18 Globex GmbH | INV-00001 | ',
      '-21.49 EUR 2026-11-18 Books, Inc. |  | ',
    ]);
  });

  it('ING (DE), below a preamble, with two columns of one name', () => {
    expect(told(read('ing-de.csv'))).toMatchObject({
      accounts: [OWN],
      entries: [
        '+119.00 EUR 2026-11-18 Globex GmbH | INV-00001 | ',
        '-21.49 EUR 2026-11-17 VISA BOOKS INC | NR8765 SEATTLE KAUFUMSATZ 15.11 24.90 USD | ',
      ],
    });
    const foreign = fixture('ing-de.csv')
      .toString('latin1')
      .replace('1.294,05;EUR;', '1.294,05;USD;');
    expect(told(readFile(bankFile(Buffer.from(foreign, 'latin1'), 'csv'))).entries[0]).toMatch(
      /^\+119.00 EUR/,
    );
  });

  it.each(['ing-nl.csv', 'ing-nl-english.csv'])('ING (NL): %s', (name) => {
    const { accounts, entries } = told(read(name));
    expect(accounts).toEqual(['NL91ABNA0417164300']);
    expect(entries[0]).toMatch(/^\+119.00 EUR 2026-11-18 Globex B.V. \| .*INV-00001/);
    expect(entries[1]).toMatch(/^-124.95 EUR 2026-11-17 Energie N.V. \| Termijn november/);
  });

  it('Wise, whose days come first, and whose amounts hold the fee', () => {
    expect(told(read('wise.csv')).entries).toEqual([
      '+119.00 EUR 2026-11-03 Globex GmbH | Received money from Globex GmbH with reference INV-00001 INV-00001 | TRANSFER-900000001',
      '-100.00 EUR 2026-11-02 fee 57 Ada Lovelace | Sent money to Ada Lovelace | TRANSFER-900000002',
    ]);
  });

  it('Revolut, where a row without a date is pending', () => {
    expect(told(read('revolut.csv'))).toMatchObject({
      entries: [
        '+119.00 EUR 2026-11-18 null | Payment from Globex GmbH INV-00001 | ',
        '-50.00 EUR 2026-11-18 fee 20 null | To Ada Lovelace | ',
      ],
      pending: 1,
      rejected: 1,
    });
    const undated = fixture('revolut.csv').toString().replace('PENDING', 'COMPLETED');
    expect(told(readFile(bankFile(Buffer.from(undated), 'csv')))).toMatchObject({ pending: 1 });
  });

  it('Revolut Business', () => {
    expect(told(read('revolut-business.csv'))).toEqual({
      accounts: ['Main EUR'],
      entries: [
        `+119.00 EUR 2026-11-18 null | Money added from Globex GmbH INV-00001 | ${REVOLUT}1`,
        `-50.00 EUR 2026-11-18 fee 20 null | To Ada Lovelace Invoice 7 | ${REVOLUT}2`,
      ],
      pending: 1,
      rejected: 2,
    });
  });

  it('PayPal, with fees, refunds, and rows that move nothing', () => {
    expect(told(read('paypal.csv'))).toMatchObject({
      entries: [
        '+1119.00 EUR 2026-11-18 fee 350 Globex GmbH | INV-00001 | 8AB00000000000001',
        '+50.00 USD 2026-11-03 fee 175 Ada Lovelace | INV-00002 | 8AB00000000000002',
        '-48.25 USD 2026-11-03 null |  | 8AB00000000000002',
        '+41.64 EUR 2026-11-03 null |  | 8AB00000000000002',
        '-119.00 EUR 2026-11-04 fee -350 Globex GmbH |  | 8AB00000000000001',
      ],
      pending: 1,
      rejected: 2,
    });
  });

  it('PayPal, in German', () => {
    expect(told(read('paypal-german.csv'))).toMatchObject({
      entries: ['+1119.00 EUR 2026-11-03 fee 350 Globex GmbH | INV-00001 | 8AB00000000000001'],
      rejected: 1,
    });
  });

  it('Stripe, by balance transaction', () => {
    expect(told(read('stripe-balance.csv')).entries).toEqual([
      '+119.00 EUR 2026-11-17 fee 203 Globex GmbH | INV-00001 | ch_1',
      '-19.00 EUR 2026-11-18 Globex GmbH | REFUND FOR CHARGE (INV-00001) | re_1',
      '-97.97 EUR 2026-11-24 null | STRIPE PAYOUT | po_1',
    ]);
    expect(told(read('stripe-history.csv')).entries).toEqual([
      '+119.00 EUR 2026-11-17 fee 203 null | INV-00001 | ch_1',
      '-116.97 EUR 2026-11-24 null | STRIPE PAYOUT | po_1',
    ]);
  });

  it('DKB, whose currency is a sign in the header, and who names both sides', () => {
    expect(told(read('dkb.csv'))).toEqual({
      accounts: [OWN],
      entries: [
        '+119.00 EUR 2026-11-18 Globex GmbH | INV-00001 | E2E-1',
        '-124.95 EUR 2026-11-17 Energie AG | Abschlag | ',
      ],
      pending: 1,
      rejected: 0,
    });
  });

  it('Commerzbank', () => {
    expect(told(read('commerzbank.csv'))).toMatchObject({
      accounts: [OWN],
      entries: [
        '+119.00 EUR 2026-11-18 null | Globex GmbH INV-00001 End-to-End-Ref.: E2E-1 | ',
        '-124.95 EUR 2026-11-17 null | Energie AG Abschlag November | ',
      ],
    });
  });

  it('MT940, as German banks write it', () => {
    const statement = read('deutsche.sta');
    expect(told(statement)).toEqual({
      accounts: ['37040044/0532013000'],
      entries: [
        '+119.00 EUR 2026-11-18 Globex und Soehne GmbH | Rechnung INV-00001 vom 03.11.2026 | E2E-1',
        '-119.00 EUR 2026-11-18 fee 350 Ada Lovelace | MD06 INV-00002 | E2E-2',
        '+20.00 EUR 2027-01-02 null | Storno einer Belastung | ',
      ],
      pending: 1,
      rejected: 0,
    });
    const [section] = statement.sections;
    expect(section?.entries.map((one) => [one.isReversal, one.returnReason])).toEqual([
      [false, null],
      [false, '914'],
      [true, null],
    ]);
    expect(`${section?.opening?.amount} ${section?.closing?.amount}`).toBe(
      '1000.00 EUR 1016.50 EUR',
    );
  });

  it('MT940, as SWIFT and Dutch banks write it', () => {
    const statement = read('swift.sta');
    expect(told(statement)).toMatchObject({
      accounts: ['NL91ABNA0417164300'],
      entries: [
        '+119.00 EUR 2026-11-18 Globex B.V. | INV-00001 | E2E-1',
        '-19.00 EUR 2026-11-18 null | Correction of a credit that was wrong | 26111800002',
        '-5.00 EUR 2026-11-18 null | Account fee | ',
      ],
    });
  });

  it('a bank with a returned debit, in camt', () => {
    const statement = read('camt053-return.xml');
    expect(told(statement).entries).toEqual([
      '-119.00 EUR 2026-11-19 fee 350 Ada Lovelace | INV-00002 | E2E-2',
    ]);
    expect(statement.sections[0]?.entries[0]).toMatchObject({
      isReversal: true,
      returnReason: 'MD06 Refund requested by end customer',
    });
  });
});

/** Entries of 1.00, with the balance after each. */
const balanced = (...balances: string[]) => {
  const lines = balances.map((one) => `2026-11-18,1.00,EUR,${one}`);
  const text = ['Date,Amount,Currency,Balance', ...lines].join('\n');
  return readFile(bankFile(Buffer.from(text), 'csv')).sections[0];
};

describe('the balance of a statement', () => {
  it.each(['camt053-v02.xml', 'camt053-return.xml', 'deutsche.sta', 'swift.sta'])(
    'moves by its entries, with their fees: %s',
    (name) => {
      for (const { opening, closing, entries } of read(name).sections) {
        if (!opening || !closing) throw new Error('no balances');
        const sum = Money.sum(entries.map(movedBy), opening.amount.currency);
        expect(`${opening.amount.plus(sum)}`).toBe(`${closing.amount}`);
      }
    },
  );

  it.each([
    ['ing-nl.csv', '1300.00 EUR 2026-11-17', '1294.05 EUR 2026-11-18'],
    ['revolut.csv', '1000.00 EUR 2026-11-18', '1068.80 EUR 2026-11-18'],
  ])('is worked out from the balances in the rows of %s', (name, before, after) => {
    const [{ opening, closing } = { opening: null, closing: null }] = read(name).sections;
    const said = [opening, closing].map((one) => `${one?.amount} ${one?.date}`);
    expect(said).toEqual([before, after]);
  });

  it('is unknown where the rows do not explain each other, or have none', () => {
    expect(balanced('11.00', '12.00')).toMatchObject({ opening: { amount: { minor: 1000n } } });
    expect(balanced('12.00', '11.00')).toMatchObject({ closing: { amount: { minor: 1200n } } });
    for (const wrong of [
      ['11.00', '12.01'],
      ['11.00', ''],
      ['11.00', 'n/a'],
      ['11.00', '11.00'],
    ]) {
      expect(balanced(...wrong)).toMatchObject({ opening: null, closing: null });
    }
    for (const name of ['paypal.csv', 'n26.csv']) {
      expect(read(name).sections[0]).toMatchObject({ opening: null, closing: null });
    }
  });
});

const V02 = fixture('camt053-v02.xml').toString();
const AS = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

const keys = ({ sections }: ParsedBankStatement) =>
  sections.flatMap((section) => bankEntryKeys(section).map(({ key }) => key.toString('hex')));

describe.each(Object.entries(AS))('%s', (format, [message, part]) => {
  const text = V02.replace('camt.053', format)
    .replaceAll('BkToCstmrStmt>', `${message}>`)
    .replaceAll('Stmt>', `${part}>`);
  const other = readFile(bankFile(Buffer.from(text), 'camt'));

  it('brings the booked entries that camt.053 brings again, by the same keys', () => {
    expect(other.format).toBe(format);
    expect(keys(other)).toEqual(keys(read('camt053-v02.xml')));
  });
});

const rows = (header: string, ...words: string[]) =>
  Buffer.from(
    [`Date;Amount;Currency;${header}`, ...words.map((word) => `2026-11-03;1.00;EUR;${word}`)].join(
      '\n',
    ),
  );

const camt = (status: string) =>
  bankFile(Buffer.from(V02.replace('<Sts>BOOK', `<Sts>${status}`)), 'camt');

describe('the state of a row', () => {
  const HEADERS = [
    'Status',
    'State',
    'Info',
    'Transaction status',
    'Buchungsstatus',
    'Entry State',
  ];

  it.each(HEADERS)('in a column %s is one that we know', (header) => {
    const known = ['COMPLETED', 'Umsatz gebucht', 'BOOK', 'Ausgeführt', 'pending', 'Vorgemerkt'];
    const out = ['FAILED', 'REVERTED', 'Declined', 'Storniert', 'CANCELLED', 'Abgelehnt'];
    const read = readFile(bankFile(rows(header, ...known, ...out), 'csv'));
    expect(told(read)).toMatchObject({ pending: 2, rejected: 6 });
    expect(read.sections[0]?.entries).toHaveLength(4);
  });

  it.each(HEADERS)('in a column %s is refused where nobody knows its word', (header) => {
    const file = bankFile(rows(header, 'Gebucht', 'Kaputt', '', 'Returned', 'constructor'), 'csv');
    const { code, errors } = refusal(() => readFile(file));
    expect(code).toBe('malformed_statement');
    expect(errors.map(({ pointer }) => pointer)).toEqual(
      [3, 4, 5, 6].map((line) => `/rows/${line}/status`),
    );
    expect(errors[0]?.message).toContain('Kaputt');
    expect(errors[0]?.message).toContain('booked_states');
  });

  it('is booked where the caller says so', () => {
    const file = bankFile(rows('Status', 'Returned', 'FAILED'), 'csv', {
      bookedStates: ['RETURNED '],
    });
    expect(told(readFile(file))).toMatchObject({ entries: [expect.anything()], rejected: 1 });
  });

  it('is the worst of several', () => {
    const text = 'Date;Amount;Currency;Status;Info\n2026-11-03;1;EUR;Completed;Umsatz storniert\n';
    expect(told(readFile(bankFile(Buffer.from(text), 'csv')))).toMatchObject({ rejected: 1 });
  });

  it('of camt is one of ISO 20022, or refused', () => {
    expect(told(readFile(camt('FUTR')))).toMatchObject({ pending: 2 });
    const { code, message } = refusal(() => readFile(camt('RVKD')));
    expect([code, message]).toEqual(['malformed_statement', expect.stringContaining('RVKD')]);
    const said = { ...camt('RVKD'), bookedStates: ['RVKD'] };
    expect(told(readFile(said))).toMatchObject({ pending: 1 });
  });
});

const dates = (...texts: string[]) =>
  bankFile(
    Buffer.from(['Date;Amount;Currency', ...texts.map((text) => `${text};1;EUR`)].join('\n')),
    'csv',
  );

const days = (file: BankStatementFile) =>
  readFile(file).sections.flatMap(({ entries }) => entries.map(({ bookedOn }) => bookedOn));

describe('a date with dashes or slashes', () => {
  it('is read in the order that another one of the file shows', () => {
    expect(days(dates('03-11-2026', '18-11-2026'))).toEqual(['2026-11-03', '2026-11-18']);
    expect(days(dates('11/03/2026', '11/18/2026'))).toEqual(['2026-11-03', '2026-11-18']);
  });

  it('is refused where none does, and where two differ', () => {
    for (const texts of [
      ['03-11-2026'],
      ['03/11/2026', '04/11/2026'],
      ['18-11-2026', '11-18-2026'],
    ]) {
      expect(refusal(() => days(dates(...texts))).code).toBe('malformed_statement');
    }
  });
});

describe('a broken MT940', () => {
  const text = fixture('swift.sta').toString();
  it.each([
    ['nothing of it', 'Date;Amount'],
    ['no opening balance', text.replace(/:60F:.*\n/, '')],
    ['an amount that is none', text.replace('C119,00N', 'C1.19,00N')],
    ['a day that does not exist', text.replace(':61:261118', ':61:261131')],
    ['another mark', text.replace('1118C119', '1118X119')],
    ['an endless line', text.replace('Account fee', 'a'.repeat(3000))],
  ])('with %s is refused', (_, broken) => {
    const file = bankFile(Buffer.from(broken), 'mt940');
    expect(refusal(() => readFile(file)).code).toBe('malformed_statement');
  });
});
