import { bankFixture } from '../support/bank-files.js';

/** A file that once cost, or might cost, far more than its size. */
export interface BankBomb {
  name: string;
  type: 'application/xml' | 'text/csv';
  file: string;
}

const SIZE = 2_000_000;
const V02 = bankFixture('camt053-v02.xml');
const CSV = 'Date;Amount;Currency\n';
const times = (text: string, count: number) => text.repeat(count);
const filled = (unit: string, size = SIZE) => times(unit, Math.floor(size / unit.length));
const numbered = (count: number, unit: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => unit(index)).join('');
/** Put where a name stands. */
const within = (text: string) => V02.replace('Ada Lovelace', () => text);
const onName = (text: string) => V02.replace('<Nm>Ada', () => `<Nm ${text}>Ada`);

const csv = (name: string, file: string): BankBomb => ({ name, type: 'text/csv', file });
const xml = (name: string, file: string): BankBomb => ({ name, type: 'application/xml', file });

/** Largest first where a size is a choice: all are below the limit of a request. */
export function bankBombs(): BankBomb[] {
  const amount = `1${times(' ', 19_900)}x`;
  return [
    csv('amounts of blanks', CSV + times(`2026-11-03;"${amount}";EUR\n`, 10)),
    csv(
      'amounts of no-break blanks',
      CSV + times(`2026-11-03;"${times('\u00a0', 4_900)}1";EUR\n`, 200),
    ),
    csv('amounts of letters', CSV + times(`2026-11-03;${times('A', 4_900)};EUR\n`, 300)),
    csv('headers of blanks', times(`Date;${times(' (', 2_400)}x;Currency\n`, 200)),
    csv('one row of cells', CSV + filled(';')),
    csv('a header of texts', `Date;Amount${times(';Text', 3_000)}\n${filled('2026-11-03;1\n')}`),
    csv('blank lines', CSV + filled('\n')),
    csv('short rows', CSV + filled('2026-11-03;1;EUR\n')),
    csv('wrong rows', CSV + filled('x;y;z\n')),
    csv(
      'accounts',
      `Date;Amount;Currency;Account\n${numbered(80_000, (at) => `2026-11-03;1;EUR;${at}\n`)}`,
    ),
    csv('quotes', CSV + filled('""')),
    csv('quoted quotes', `${CSV}"${filled('""')}"`),
    csv('one long line', filled('a')),
    csv('one quoted cell', `${CSV}"${filled('\n')}"`),
    csv('dates of digits', CSV + times(`${times('1', 4_900)};1;EUR\n`, 300)),
    xml('attributes', onName(numbered(100_000, (at) => `a${at}="" `))),
    xml(
      'many elements with many attributes',
      within(times(`<a ${numbered(1_000, (at) => `a${at}="" `)}/>`, 190)),
    ),
    xml('an attribute', onName(`a="${filled('a')}"`)),
    xml('an attribute of entities', onName(`a="${filled('&amp;')}"`)),
    xml('a text', within(filled('a'))),
    xml('a text of entities', within(filled('&#65;'))),
    xml('a text of pieces', within(filled('a<b/>'))),
    xml('CDATA', within(`<![CDATA[${filled('a')}]]>`)),
    xml('ends of CDATA', within(`<![CDATA[${filled(']]')}]]>`)),
    xml('a comment', within(`<!--${filled('- ')}-->`)),
    xml('comments', within(filled('<!---->'))),
    xml('instructions', within(filled('<?a b?>'))),
    xml('an instruction', within(`<?a ${filled('?')}?>`)),
    xml('elements in elements', filled('<a>')),
    xml('elements beside elements', within(filled('<a/>'))),
    xml(
      'entries without anything',
      V02.replace('</Stmt>', () => `${filled('<Ntry/>')}</Stmt>`),
    ),
    xml(
      'statements without anything',
      V02.replace('</BkToCstmrStmt>', () => `${filled('<Stmt/>')}</BkToCstmrStmt>`),
    ),
    xml('a name', `<${filled('a')}`),
    xml('an end', `${V02}</${filled('a')}`),
    xml('an entity', within(`&${filled('a')};`)),
    xml('a document type', `<!DOCTYPE ${filled('a')}>`),
    xml('declared entities', `<!DOCTYPE a [${filled('<!ENTITY a "b">')}]>`),
    xml('a declaration', `<?xml ${filled(' encoding ')}?>`),
    xml(
      'namespaces',
      within(
        `${numbered(30, (at) => `<a ${numbered(45, (of) => `xmlns:n${at}x${of}="u" `)}>`)}${filled('<b/>', 1_000_000)}`,
      ),
    ),
    xml(
      'references of an entry',
      V02.replace('<RmtInf>', () => `<RmtInf>${filled('<Ustrd>a</Ustrd>')}`),
    ),
  ];
}
