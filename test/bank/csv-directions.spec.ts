import { describe, expect, it } from 'vitest';
import type { CsvHints, ParsedBankStatement } from '../../src/bank/domain/bank-statement.js';
import { NO_HINTS } from '../support/bank-files.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

// Money out is never booked as money in: it is read so, or the file is refused with what to send.

const read = (lines: readonly string[], hints: Partial<CsvHints> = {}) =>
  readFile(bankFile(Buffer.from(lines.join('\n')), 'csv', { hints: { ...NO_HINTS, ...hints } }));

const directions = ({ sections }: ParsedBankStatement) =>
  sections.flatMap(({ entries }) => entries.map(({ direction }) => direction)).join(' ');

/** Two rows without signs: the first left the account. */
const unsigned = (header: string, out: string, came: string) => [
  `Date;Description;Amount;Currency;${header}`,
  `2026-11-18;a;100.00;EUR;${out}`,
  `2026-11-18;b;50.00;EUR;${came}`,
];
const columns = (column: string, header: string) => ({ columns: new Map([[column, header]]) });

describe('a direction without signs', () => {
  it.each([
    ['Cr/Dr', 'DR', 'CR'],
    ['Type', 'DEBIT', 'CREDIT'],
    ['Transaction Type', 'Withdrawal', 'Deposit'],
    ['D/K', 'D', 'K'],
    ['D/C', 'D', 'C'],
    ['S/H', 'S', 'H'],
    ['Sens', 'Débit', 'Crédit'],
    ['Sens', 'D', 'C'],
    ['+/-', '-', '+'],
    ['Soll/Haben', 'Soll', 'Haben'],
    ['Af Bij', 'Af', 'Bij'],
    ['Dare/Avere', 'Dare', 'Avere'],
    ['Debe/Haber', 'D', 'H'],
    ['Richtung', 'Ausgang', 'Eingang'],
    ['Umsatzart', 'Lastschrift', 'Gutschrift'],
    ['Debit/Credit', 'obciążenie', 'uznanie'],
  ])('is read in the column %s: %s, %s', (header, out, came) => {
    expect(directions(read(unsigned(header, out, came)))).toBe('debit credit');
  });

  it.each([
    ['Nature', 'DEBIT', 'CREDIT'],
    ['Mouvement', 'Sortie', 'Entrée'],
    ['Details', 'DEBIT', 'CREDIT'],
    ['Kind', 'D', 'C'],
    ['Strana', 'O', 'U'],
    ['Type', 'Direct Debit', 'Direct Credit'],
    ['Code', 'ACH_DEBIT', 'ACH_CREDIT'],
    ['Way', 'Transfer out', 'Transfer in'],
    ['Is debit', 'true', 'false'],
    ['Vz', '-', ''],
  ])('is asked for where nobody knows the column %s: %s, %s', (header, out, came) => {
    const lines = unsigned(header, out, came);
    const { code, message } = refusal(() => read(lines));
    expect(code).toBe('malformed_statement');
    expect(message).toContain(`column_direction=${header}`);
    expect(message).toContain(`ignore_columns=${header}`);
    expect(directions(read(lines, { ignored: [header] }))).toBe('credit credit');
    const words = { credit: [came], debit: [out] };
    if (came === '') return;
    expect(directions(read(lines, { ...columns('direction', header), words }))).toBe(
      'debit credit',
    );
  });

  it('is refused in a word that nobody knows, until somebody says what it means', () => {
    const lines = unsigned('Direction', 'Raus', 'Rein');
    expect(refusal(() => read(lines)).errors[0]?.message).toContain('debit_words');
    const words = { credit: ['rein'], debit: ['raus'] };
    expect(directions(read(lines, { words }))).toBe('debit credit');
  });

  it('is not what a column says that agrees with the signs', () => {
    const lines = [
      'Date,Amount,Currency,Nature',
      '2026-11-18,-1.00,EUR,D',
      '2026-11-18,1.00,EUR,C',
    ];
    expect(directions(read(lines))).toBe('debit credit');
    expect(read(lines).unused).toEqual(['Nature']);
    const other = lines.with(2, '2026-11-18,1.00,EUR,D');
    expect(refusal(() => read(other)).message).toContain('column_direction=Nature');
  });

  it('is nothing that stands for nothing', () => {
    expect(directions(read(unsigned('Mandate', '-', '-')))).toBe('credit credit');
  });
});

describe('two ways to say the direction', () => {
  it.each([
    ['a sign and a column', ['Date,Amount,Currency,D/C', '2026-11-18,-1.00,EUR,C']],
    [
      'a debit above zero where others are below',
      ['Date,Amount,Currency,D/C', '2026-11-18,-1.00,EUR,D', '2026-11-18,1.00,EUR,D'],
    ],
    ['amount and columns', ['Date,Amount,Currency,Credit,Debit', '2026-11-18,-1.00,EUR,1.00,']],
    ['other amounts', ['Date,Amount,Currency,Credit,Debit', '2026-11-18,2.00,EUR,1.00,']],
    ['neither column', ['Date,Amount,Currency,Credit,Debit', '2026-11-18,2.00,EUR,,']],
    ['both columns', ['Date,Amount,Currency,Credit,Debit', '2026-11-18,2.00,EUR,2.00,2.00']],
    [
      'debits with and without a sign',
      ['Date,Currency,Credit,Debit', '2026-11-18,EUR,,-1.00', '2026-11-18,EUR,,1.00'],
    ],
    [
      'a credit that says so, and one that does not',
      ['Date,Amount,Currency', '2026-11-18,1.00 CR,EUR', '2026-11-18,1.00,EUR'],
    ],
  ])('are refused where they differ: %s', (_, lines) => {
    expect(refusal(() => read(lines)).code).toBe('malformed_statement');
  });

  it('are read where they agree', () => {
    const lines = [
      'Datum;Bedrag;Munt;credit;debet',
      '18/11/2026;253,00;EUR;253,00;',
      '18/11/2026;-50,00;EUR;;-50,00',
    ];
    expect(directions(read(lines))).toBe('credit debit');
    const without = lines.with(2, '18/11/2026;50,00;EUR;;50,00');
    expect(directions(read(without))).toBe('credit debit');
  });
});

describe('running balances', () => {
  const header = 'Date,Description,Amount,Currency';
  const rows = ['2026-11-16,a,100.00,EUR,1100.00', '2026-11-17,b,30.00,EUR,1070.00'];

  it.each(['Balance', 'Zůstatek', 'Anything'])(
    'in %s prove that a debit is none of the credits',
    (name) => {
      const { code, message } = refusal(() => read([`${header},${name}`, ...rows]));
      expect(code).toBe('malformed_statement');
      expect(message).toMatch(/Line 3: .*column_direction/);
    },
  );

  it('under any name are the balances of the file', () => {
    const file = read([`${header},Anything`, rows[0] ?? '', '2026-11-17,b,-30.00,EUR,1070.00']);
    expect(file.unused).toEqual([]);
    expect(`${file.sections[0]?.closing?.amount}`).toBe('1070.00 EUR');
  });

  it('excuse a word that they contradict, of each entry that they prove', () => {
    const cards = [
      `${header},Balance,Card`,
      '2026-11-16,a,100.00,EUR,1100.00,',
      '2026-11-17,b,30.00,EUR,1130.00,Debit',
    ];
    expect(directions(read(cards))).toBe('credit credit');
    const oldest = cards.with(1, `${cards[1]}Debit`);
    expect(refusal(() => read(oldest)).message).toContain('ignore_columns=Card');
  });

  it('prove nothing about equal amounts of one day in any order', () => {
    const equal = ['2026-11-16,a,50.00,EUR,150.00', '2026-11-16,b,50.00,EUR,100.00'];
    expect(directions(read([`${header},Balance`, ...equal]))).toBe('credit credit');
  });
});

describe('a column that nobody reads', () => {
  it('is named, with one that has no header', () => {
    const lines = ['Date,Amount,Currency,Category,', '2026-11-18,1.00,EUR,Food,x'];
    expect(read(lines).unused).toEqual(['Category', 'column 5']);
    expect(read([...lines.slice(0, 1), '2026-11-18,1.00,EUR,Food,']).unused).toEqual(['Category']);
  });

  it.each([
    ['pending', true],
    ['storniert', true],
    ['Completed', false],
    ['Groceries', false],
  ])('and says %s is refused if that is a state of no booked entry', (word, isRefused) => {
    const lines = ['Date,Amount,Currency,Etat', `2026-11-18,1.00,EUR,${word}`];
    if (!isRefused) expect(read(lines).unused).toEqual(['Etat']);
    else expect(refusal(() => read(lines)).message).toContain('column_status=Etat');
    expect(directions(read(lines, { ignored: ['Etat'] }))).toBe('credit');
  });

  it('is not what a hint names that is not there', () => {
    const lines = ['Date,Amount,Currency,D', '2026-11-18,1.00,EUR,D'];
    for (const hints of [columns('direction', 'Dir'), { ignored: ['Dir'] }]) {
      expect(refusal(() => read(lines, hints)).message).toContain('(Dir)');
    }
  });

  it('is none behind the last one', () => {
    const lines = ['Date,Amount,Currency,Description', '2026-11-18,1.00,EUR,a,b'];
    expect(refusal(() => read(lines)).message).toContain('Line 2 has 5 cells');
    expect(directions(read([lines[0] ?? '', '2026-11-18,1.00,EUR,,']))).toBe('credit');
  });
});

const account = (...cells: string[]) => [
  `Buchungstag;Betrag;Waehrung;${cells[0]}`,
  `18.11.2026;1,00;EUR;${cells[1]}`,
];
const [entryOf, accountOf] = [
  (lines: string[]) => read(lines).sections[0]?.entries[0],
  (lines: string[]) => read(lines).sections[0]?.account,
];

const row = (...cells: string[]) => ['EE382200221020145685', '18.11.2026', ...cells].join(';');

describe('a file as banks write it', () => {
  it('has S and H behind the amount, under no header', () => {
    const lines = [
      'Buchungstag;Kundenreferenz;Waehrung;Umsatz; ',
      '18.11.2026;a;EUR;250,00;H',
      '18.11.2026;b;EUR;50,00;S',
      '01.11.2026;Anfangssaldo;EUR;1.000,00;H',
      '18.11.2026;Endsaldo;EUR;1.200,00;H',
    ];
    expect(directions(read(lines))).toBe('credit debit');
    expect(read(lines).unused).toEqual(['line 4 (Anfangssaldo)', 'line 5 (Endsaldo)']);
    expect(directions(read(lines, columns('direction', 'column 5')))).toBe('credit debit');
    expect(directions(read(lines.slice(0, 3), { ignored: ['column 5'] }))).toBe('credit credit');
  });

  it('has rows of turnover, which are no entries', () => {
    const lines = [
      'Customer account no;Date;Beneficiary/Payer;Details;Amount;Currency;Debit/Credit',
      row('', 'Opening balance', '1000,00', 'EUR', 'K'),
      row('Nordwind', 'INV-1', '250,00', 'EUR', 'K'),
      row('Energia', 'Arve', '50,00', 'EUR', 'D'),
      row('', 'Turnover', '250,00', 'EUR', 'K'),
      row('', 'Turnover', '50,00', 'EUR', 'D'),
      row('', 'closing balance', '1200,00', 'EUR', 'K'),
    ];
    expect(directions(read(lines))).toBe('credit debit');
    const wrong = lines.with(4, row('', 'Turnover', '251,00', 'EUR', 'K'));
    expect(refusal(() => read(wrong)).message).toContain('balance_rows');
  });

  it('has its currency in a column Valuta', () => {
    const lines = ['Dato;Belopp;Valuta', '2026/11/18;-50,00;SEK'];
    expect(read(lines).sections[0]?.entries[0]?.amount.currency).toBe('SEK');
    const dates = ['Dato;Belopp;Valuta', '2026/11/18;-50,00;2026/11/18'];
    expect(read(dates, { currency: 'EUR' }).sections[0]?.entries[0]?.valueOn).toBe('2026-11-18');
  });

  it('has charges without a sign, where somebody says so', () => {
    const lines = ['Date,Amount,Currency', '2026-11-18,12.50,GBP', '2026-11-19,100.00 CR,GBP'];
    expect(refusal(() => read(lines)).message).toContain('unsigned_amounts');
    expect(directions(read(lines, { unsigned: 'debit' }))).toBe('debit credit');
  });
});

describe('two headers for one text', () => {
  it('are the more telling one, and the other is named', () => {
    const vr = account(
      'Bezeichnung Auftragskonto;IBAN Auftragskonto',
      'Giro;DE89370400440532013000',
    );
    expect(accountOf(vr)).toBe('DE89370400440532013000');
    expect(read(vr).unused).toEqual(['Bezeichnung Auftragskonto']);
    const named = account('Naam;Naam tegenpartij', 'ACME;Globex');
    expect(entryOf(named)?.counterpartyName).toBe('Globex');
    expect(read(named).unused).toEqual(['Naam']);
  });

  it('are put together for what the payer wrote', () => {
    const texts = account('Omschrijving-1;Omschrijving-2', 'INV-;00001');
    expect(entryOf(texts)?.remittance).toBe('INV- 00001');
    const old = account('Umsatzart;Buchungstext', 'Gutschrift;INV-00001');
    expect(entryOf(old)).toMatchObject({ remittance: 'INV-00001', transactionType: 'Gutschrift' });
    const types = account('Buchungstext;Umsatzart;Verwendungszweck', 'A;B;C');
    expect(entryOf(types)).toMatchObject({ remittance: 'C', transactionType: 'A B' });
  });
});

const dated = (...rows: string[]) => [
  'Date,Description,Amount,Currency',
  ...rows.map((row) => `${row},EUR`),
];
const sums = (lines: string[], hints: Partial<CsvHints> = {}) => {
  const { sections, unused } = read(lines, hints);
  const [section] = sections;
  const amounts = section?.entries.map(({ amount }) => `${amount}`).join(' ');
  return {
    amounts,
    opening: `${section?.opening?.amount}`,
    closing: `${section?.closing?.amount}`,
    unused: unused.length,
  };
};

const balanced = (...rows: string[]) => ['Date,Description,Amount,Currency,Balance', ...rows];

describe('a row that is a balance', () => {
  const between = ['2026-11-18,x,250.00', '2026-11-18,y,-50.00'];

  it.each([
    ['BALANCE BROUGHT FORWARD', 'BALANCE CARRIED FORWARD'],
    ['Saldo początkowe', 'Saldo końcowe'],
    ['Solde au 17/11/2026', 'Nouveau solde'],
    ['Anfangssaldo', 'Endsaldo EUR'],
    ['Počáteční zůstatek', 'Konečný zůstatek'],
  ])('is no entry: %s, %s', (opening, closing) => {
    const file = dated(
      `2026-11-17,${opening},1000.00`,
      ...between,
      `2026-11-18,${closing},1200.00`,
    );
    const right = {
      amounts: '250.00 EUR 50.00 EUR',
      opening: '1000.00 EUR',
      closing: '1200.00 EUR',
      unused: 2,
    };
    expect(sums(file)).toEqual(right);
  });

  it.each([
    [
      'in words that nobody knows',
      ['2026-11-17,DEVREDEN X,1000.00', ...between, '2026-11-18,KALAN,1200.00'],
    ],
    ['in words alone', ['2026-11-17,Opening balance,1000.00', ...between]],
    ['that is not the sum', ['2026-11-17,Saldo,1000.00', ...between, '2026-11-18,Saldo,1201.00']],
  ])('is refused where nobody can tell: %s', (_, rows) => {
    const file = dated(...rows);
    expect(refusal(() => read(file)).message).toContain('balance_rows=leave_out');
    expect(sums(file, { balanceRows: 'leave_out' }).amounts).toBe('250.00 EUR 50.00 EUR');
    expect(sums(file, { balanceRows: 'book' }).amounts).toContain(
      '1000.00 EUR 250.00 EUR 50.00 EUR',
    );
  });

  it('is known by the balance beside it', () => {
    const rows = [
      '2026-11-17,opening balance,1000.00,EUR,1000.00',
      '2026-11-18,x,250.00,EUR,1250.00',
    ];
    expect(sums(balanced(...rows, '2026-11-18,LOPPU,1250.00,EUR,1250.00'))).toMatchObject({
      amounts: '250.00 EUR',
      opening: '1000.00 EUR',
      closing: '1250.00 EUR',
    });
    const unknown = balanced('2026-11-17,ALKU,1000.00,EUR,1000.00', ...rows.slice(1));
    expect(refusal(() => read(unknown)).message).toContain('balance_rows');
    expect(sums(unknown, { balanceRows: 'book' }).amounts).toBe('1000.00 EUR 250.00 EUR');
  });

  it('has no amount, or no day', () => {
    const rows = [
      '2026-11-17,Opening balance,,EUR,1000.00',
      '2026-11-18,x,250.00,EUR,1250.00',
      'Total,,250.00,,',
    ];
    expect(sums(balanced(...rows))).toMatchObject({
      amounts: '250.00 EUR',
      closing: '1250.00 EUR',
      unused: 2,
    });
  });

  it('is none where a payer writes of a balance, or somebody is behind it', () => {
    expect(sums(dated('2026-11-18,Balance of INV-00001,100.00')).amounts).toBe('100.00 EUR');
    const named = ['Date,Name,Description,Amount,Currency', '2026-11-18,Globex,Balance,100.00,EUR'];
    expect(sums(named).amounts).toBe('100.00 EUR');
  });
});
