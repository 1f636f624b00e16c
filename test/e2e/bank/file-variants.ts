import { parse } from 'csv-parse/sync';
import type { BankEntryBody } from '../../../src/bank/wire/bank-entry.js';

/** A bank's file in another form: the same movements, or none where that form does not fit the file. */
export type Variant = (file: BankText, entries: readonly BankEntryBody[]) => Buffer[] | null;

export interface BankText {
  type: string;
  text: string;
}

const utf8 = (text: string) => Buffer.from(text);
const isCsv = ({ type }: BankText) => type === 'text/csv';
const isCamt = ({ type }: BankText) => type === 'application/xml';

/** How the same money is told again. Each is imported after the file as it was. */
export const RETOLD: Record<string, Variant> = {
  'with its payers in capitals': ({ text }, entries) => {
    const names = entries.flatMap(({ counterparty_name: name }) => name ?? []);
    const said = names.filter((name) => text.includes(name));
    return [utf8(said.reduce((all, name) => all.replaceAll(name, name.toUpperCase()), text))];
  },
  'with other line ends, and an empty line more': ({ text }) => {
    const plain = text.replaceAll('\r\n', '\n');
    return [utf8(`${text.includes('\r\n') ? plain : plain.replaceAll('\n', '\r\n')}\n`)];
  },
  'in UTF-16': (file) =>
    isCsv(file)
      ? [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file.text, 'utf16le')])]
      : null,
  'in Windows-1252': (file) => (isCsv(file) ? [Buffer.from(file.text, 'latin1')] : null),
  'with its encoding broken': (file) =>
    isCsv(file) ? [utf8(Buffer.from(file.text).toString('latin1'))] : null,
  'with its columns the other way round': (file) => {
    const rows = isCsv(file) ? rowsOf(file.text) : [];
    const most = Math.max(0, ...rows.map((cells) => cells.length));
    const turned = rows.map((cells) => (cells.length === most ? cells.toReversed() : cells));
    return rows.length > 0 ? [utf8(written(turned))] : null;
  },
  'half a day later': ({ text, type }, entries) => {
    if (type === 'text/plain') {
      return [utf8(text.replace(/(?<=:61:)(\d{6})(\d{4})?/g, (_, day: string) => shortDay(day)))];
    }
    const days = new Set(entries.flatMap((one) => [one.booked_on, one.value_on ?? one.booked_on]));
    const moved = new Map(
      [...days].flatMap((day) => {
        const [before, after] = [writtenAs(day), writtenAs(nextDay(day))];
        return before.map((form, at): [string, string] => [form, after[at] ?? '']);
      }),
    );
    // In references they stay.
    const alone = new RegExp(`(?<!\\w)(?:${[...moved.keys()].join('|')})(?!\\d)`, 'g');
    return [utf8(text.replace(alone, (form) => moved.get(form) ?? form))];
  },
  'as camt.052, and as camt.054': (file) => {
    if (!isCamt(file) || !file.text.includes('camt.053')) return null;
    return (
      [
        ['camt.052', 'BkToCstmrAcctRpt', 'Rpt'],
        ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
      ] as const
    ).map(([kind, message, part]) =>
      utf8(
        file.text
          .replaceAll('camt.053', kind)
          .replaceAll('BkToCstmrStmt', message)
          .replaceAll(/<(\/?(?:\w+:)?)Stmt>/g, `<$1${part}>`),
      ),
    );
  },
  'cut in two files that overlap': (file) => {
    const [head, items, tail] = isCsv(file) ? csvParts(file.text) : camtParts(file.text);
    if (items.length < 3 || (file.text.match(/<(?:\w+:)?Stmt>/g) ?? []).length > 1) return null;
    const third = Math.ceil(items.length / 3);
    return [items.slice(0, 2 * third), items.slice(third)].map((some) =>
      utf8(head + some.join('') + tail),
    );
  },
};

function rowsOf(text: string): string[][] {
  const delimiter = [';', ',', '\t'].reduce((one, other) =>
    text.split(other).length > text.split(one).length ? other : one,
  );
  return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, bom: true });
}

const written = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')).join('\n');

type Parts = [head: string, items: string[], tail: string];

function camtParts(text: string): Parts {
  const items = text.match(/<(?:\w+:)?Ntry>.*?<\/(?:\w+:)?Ntry>/gs) ?? [];
  const [first = '', last = ''] = [items[0], items.at(-1)];
  return [
    text.slice(0, text.indexOf(first)),
    items,
    text.slice(text.lastIndexOf(last) + last.length),
  ];
}

const lines = (some: readonly (readonly string[])[]) => some.map((row) => `${written([row])}\n`);

/** Below the header: the first row with as many cells as most have. */
function csvParts(text: string): Parts {
  const rows = rowsOf(text);
  const most = Math.max(0, ...rows.map((cells) => cells.length));
  const header = rows.findIndex((cells) => cells.length === most) + 1;
  return [lines(rows.slice(0, header)).join(''), lines(rows.slice(header)), ''];
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** The next day of one of MT940, and that of the entry behind it. */
function shortDay(day: string): string {
  const next = nextDay(`20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`).replaceAll(
    '-',
    '',
  );
  return next.slice(2) + next.slice(4);
}

/** As files of banks write a day. */
function writtenAs(day: string): string[] {
  const [year = '', month = '', date = ''] = day.split('-');
  const two = year.slice(2);
  return [
    day,
    `${year}${month}${date}`,
    `${date}.${month}.${year}`,
    `${date}.${month}.${two}`,
    `${date}-${month}-${year}`,
    `${date}/${month}/${year}`,
    `${month}/${date}/${year}`,
    `${two}${month}${date}`,
  ];
}
