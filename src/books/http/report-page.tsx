import { renderToString } from 'preact-render-to-string';
import type { PrintedColumn } from '../wire/report-query.js';
import { Money } from '../../kernel/money.js';
import { Locale } from '../../documents/index.js';
import type { Cell } from '../wire/csv.js';

/** The browser shows it under this policy: nothing is fetched, nothing runs. */
export const REPORT_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface ReportHead {
  title: string;
  /** The name of the account's seller. */
  seller: string;
  /** Days and filters, each as a sentence. */
  about: readonly string[];
  madeAt: string;
}

type Row<Name extends string> = Readonly<Record<Name | 'currency', Cell>>;

/** So many rows are drawn without a pause for others. */
const ROWS_AT_ONCE = 100;

const STYLE = `
@page { size: A4; margin: 15mm 12mm; }
* { box-sizing: border-box; margin: 0; }
body { font: 10pt/1.35 system-ui, 'Noto Sans', sans-serif; color: #111; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 15pt; }
header { margin-bottom: 1rem; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: .2rem .4rem; text-align: start; vertical-align: top; border-bottom: 1px solid #ccc; }
thead th { border-bottom: 2px solid #111; }
tfoot th { border-top: 2px solid #111; border-bottom: 0; }
.figure { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media print { body { padding: 0; } }
@media (max-width: 40rem) { main { overflow-x: auto; } }
`;

/** A page to print, in pieces: its head, its rows, and the totals of what they showed. */
export async function* reportPage<Name extends string>(
  head: ReportHead,
  columns: readonly PrintedColumn<Name>[],
  pages: AsyncIterable<readonly Row<Name>[]>,
): AsyncGenerator<string, void> {
  yield top(head, columns);
  const totals = new Map<string, bigint[]>();
  let count = 0;
  for await (const rows of pages) {
    count += rows.length;
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      for (const row of some) add(totals, columns, row);
      yield some.map((row) => lineOf(columns, row)).join('');
    }
  }
  yield bottom(columns, totals, count);
}

function top(head: ReportHead, columns: readonly PrintedColumn[]): string {
  const { title, seller, about, madeAt } = head;
  const begun = renderToString(
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <title>{`${title} – ${seller}`}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>,
  );
  const header = renderToString(
    <header>
      <p>{seller}</p>
      <h1>{title}</h1>
      {about.map((sentence) => (
        <p>{sentence}</p>
      ))}
      <p>{`Made on ${madeAt}`}</p>
    </header>,
  );
  const headings = renderToString(
    <thead>
      <tr>
        {columns.map(({ heading, is }) => (
          <th scope="col" class={classOf(is)}>
            {heading}
          </th>
        ))}
      </tr>
    </thead>,
  );
  return `<!doctype html><html lang="en">${begun}<body><main>${header}<table>${headings}<tbody>`;
}

function lineOf<Name extends string>(columns: readonly PrintedColumn<Name>[], row: Row<Name>) {
  return renderToString(
    <tr>
      {columns.map(({ name, is }) => (
        <td class={classOf(is)}>{shown(is, row[name], row.currency)}</td>
      ))}
    </tr>,
  );
}

function bottom(
  columns: readonly PrintedColumn[],
  totals: ReadonlyMap<string, readonly bigint[]>,
  count: number,
): string {
  const hasSums = columns.some(({ is }) => is === 'summed');
  const sums = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  const foot = renderToString(
    <tfoot>
      {count === 0 && (
        <tr>
          <th colspan={columns.length}>There is nothing to show.</th>
        </tr>
      )}
      {hasSums &&
        sums.map(([currency, figures]) => (
          <tr>
            {columns.map(({ is }, index) => (
              <th class={classOf(is)}>
                {is === 'summed' ? amount(figures[index] ?? 0n, currency) : ''}
                {index === 0 && is !== 'summed' && `Total ${currency}`}
              </th>
            ))}
          </tr>
        ))}
    </tfoot>,
  );
  return `</tbody>${foot}</table></main></body></html>\n`;
}

function add<Name extends string>(
  totals: Map<string, bigint[]>,
  columns: readonly PrintedColumn<Name>[],
  row: Row<Name>,
): void {
  if (row.currency === null) return;
  const key = String(row.currency);
  const known = totals.get(key) ?? columns.map(() => 0n);
  totals.set(
    key,
    columns.map(({ name, is }, index) => {
      const cell = row[name];
      const minor = is === 'summed' && cell !== null ? BigInt(cell) : 0n;
      return (known[index] ?? 0n) + minor;
    }),
  );
}

function shown(is: PrintedColumn['is'], cell: Cell, currency: Cell): string {
  if (cell === null) return '';
  if (is === 'amount' || is === 'summed') return amount(cell, currency);
  return is === 'word' ? spoken(String(cell)) : String(cell);
}

/** `write_off` is "Write off". */
function spoken(word: string): string {
  const words = word.replaceAll(/[._]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const isText = (is: PrintedColumn['is']) => is === 'text' || is === 'word';

const classOf = (is: PrintedColumn['is']) => (isText(is) ? undefined : 'figure');

/** In the notation of the page's own words. */
function amount(minor: Cell, currency: Cell): string {
  if (minor === null || currency === null) return '';
  return Locale.of('en').money(Money.of(BigInt(minor), String(currency)));
}
