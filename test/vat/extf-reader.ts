/*
 * A reader of DATEV files of its own: bytes, lines and columns by the description of the format. It
 * shares no code with the service, and knows the standard charts by itself.
 */

/** One posting as DATEV reads it; amounts in hundredths. */
interface Posting {
  amount: bigint;
  /** The account that is debited, and the one that is credited. */
  debit: string;
  credit: string;
  /** The contra account: automatic accounts and keys count for it. */
  contra: string;
  key: string;
  currency: string;
  day: string;
  document: string;
  text: string;
  cells: ReadonlyMap<string, string>;
}

export interface ExtfFile {
  header: string[];
  columns: string[];
  postings: Posting[];
}

/** 0x80 to 0x9F of Windows-1252; everything else is as in Latin-1. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function readExtf(bytes: Uint8Array): ExtfFile {
  const { header, columns, rows } = readRows(bytes);
  if (header[0] !== 'EXTF' || header[2] !== '21') throw new Error('no posting batch');
  return { header, columns, postings: rows.map(toPosting) };
}

/** The rows of any EXTF file, by the names of its columns. */
export function readRows(bytes: Uint8Array): {
  header: string[];
  columns: string[];
  rows: Map<string, string>[];
} {
  const text = Array.from(bytes, (byte) =>
    byte >= 0x80 && byte < 0xa0 ? HIGH[byte - 0x80] : String.fromCodePoint(byte),
  ).join('');
  const [header = [], columns = [], ...lines] = linesOf(text);
  const rows = lines.map((cells) => {
    if (cells.length !== columns.length) throw new Error(`a line of ${cells.length} cells`);
    return new Map(columns.map((name, at) => [name, cells[at] ?? ''] as const));
  });
  return { header, columns, rows };
}

function toPosting(cells: Map<string, string>): Posting {
  const cell = (name: string) => {
    const value = cells.get(name);
    if (value === undefined) throw new Error(`no column ${name}`);
    return value;
  };
  const amount = cell('Umsatz (ohne Soll/Haben-Kz)');
  if (!/^\d{1,10},\d\d$/.test(amount)) throw new Error(`amount ${amount}`);
  const side = cell('Soll/Haben-Kennzeichen');
  const [account, contra] = [cell('Konto'), cell('Gegenkonto (ohne BU-Schlüssel)')];
  if (account === contra) throw new Error(`${account} on both sides`);
  const [debit, credit] = side === 'S' ? [account, contra] : [contra, account];
  return {
    amount: BigInt(amount.replace(',', '')),
    debit,
    credit,
    contra,
    key: cell('BU-Schlüssel'),
    currency: cell('WKZ Umsatz'),
    day: cell('Belegdatum'),
    document: cell('Belegfeld 1'),
    text: cell('Buchungstext'),
    cells,
  };
}

/** Cells by line: semicolons part them outside of quotes, and two quotes stand for one. */
function linesOf(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '"') {
      if (isQuoted && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (isQuoted) cell += sign;
    else if (sign === ';') {
      cells.push(cell);
      cell = '';
    } else if (sign === '\r' && text[at + 1] === '\n') {
      lines.push([...cells, cell]);
      cells = [];
      cell = '';
      at += 1;
    } else cell += sign;
  }
  if (isQuoted || cell !== '' || cells.length > 0) throw new Error('the file is cut');
  return lines;
}

/** The accounts of both charts that take their tax out of each amount, and in percent how much. */
const AUTOMATIC: Record<string, Record<string, bigint>> = {
  '03': { 8400: 19n, 8300: 7n, 8736: 19n, 8731: 7n, 2406: 19n, 2401: 7n },
  '04': { 4400: 19n, 4300: 7n, 4736: 19n, 4731: 7n, 6936: 19n, 6931: 7n },
};
const TAX_ACCOUNT: Record<string, string> = { '03': '1770', '04': '3800' };

/** Tax that is owed by what DATEV computes, in hundredths: by account. */
export function vatByAccount({ header, postings }: ExtfFile): Map<string, bigint> {
  const chart = header[26] ?? '';
  const automatic = AUTOMATIC[chart] ?? {};
  const taxAccount = TAX_ACCOUNT[chart];
  const sums = new Map<string, bigint>();
  for (const { amount, debit, credit, contra, currency } of postings) {
    const unit = currency === 'JPY' ? 100n : 1n;
    for (const [account, sign] of [
      [debit, -1n],
      [credit, 1n],
    ] as const) {
      const rate = automatic[account];
      if (rate !== undefined && account !== contra) throw new Error(`${account} is no contra`);
      const tax = account === taxAccount ? amount : rate ? taxIn(amount, rate, unit) : null;
      if (tax !== null) sums.set(account, (sums.get(account) ?? 0n) + sign * tax);
    }
  }
  return sums;
}

/** Of each line by itself, rounded half up to the unit of the currency. */
function taxIn(gross: bigint, rate: bigint, unit: bigint): bigint {
  const by = (100n + rate) * unit;
  return ((2n * gross * rate + by) / (2n * by)) * unit;
}

export function vatOf(file: ExtfFile): bigint {
  return [...vatByAccount(file).values()].reduce((sum, one) => sum + one, 0n);
}
