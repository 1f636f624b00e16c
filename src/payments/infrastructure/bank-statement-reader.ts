import { CsvError, parse } from 'csv-parse/sync';
import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';
import { DomainError } from '../../kernel/domain-error.js';
import {
  type CsvHints,
  LARGEST_STATEMENT_BYTES,
  LARGEST_STATEMENT_ENTRIES,
  malformedStatement,
  type ParsedStatement,
  StatementReader,
} from '../domain/bank-statement.js';
import { readCamt053 } from '../domain/camt053.js';
import { type CsvRow, readCsvStatement } from '../domain/csv-statement.js';
import type { XmlElement } from '../domain/xml-element.js';

/** A camt.053 nests about twelve deep. */
const LARGEST_DEPTH = 40;
const LARGEST_RECORD_CHARACTERS = 20_000;
const DELIMITERS = [';', ',', '\t'];
/** No entity but the five of XML itself; the library's types do not know the option. */
const STRICT = { xmlns: true, strictEntities: true };
const BYTE_ORDER_MARK = '\ufeff';

/** Strict XML without any document type, and CSV as RFC 4180 and the banks write it. */
export class BankStatementReader extends StatementReader {
  camt053(bytes: Buffer): ParsedStatement {
    assertSize(bytes);
    return limited(readCamt053(parseXml(decodeXml(bytes))));
  }

  csv(bytes: Buffer, hints: CsvHints): ParsedStatement {
    assertSize(bytes);
    const text = decodeCsv(bytes);
    return limited(readCsvStatement(parseCsv(text, hints.delimiter ?? delimiterOf(text)), hints));
  }
}

function assertSize(bytes: Buffer): void {
  if (bytes.length === 0) throw malformedStatement('The file is empty.');
  if (bytes.length <= LARGEST_STATEMENT_BYTES) return;
  throw malformedStatement(`The file is larger than ${LARGEST_STATEMENT_BYTES} bytes; split it.`);
}

function limited(statement: ParsedStatement): ParsedStatement {
  const count = statement.sections.reduce((sum, { transactions }) => sum + transactions.length, 0);
  if (count <= LARGEST_STATEMENT_ENTRIES) return statement;
  throw malformedStatement(
    `The file has ${count} entries; ${LARGEST_STATEMENT_ENTRIES} are the most. Split it.`,
  );
}

/** ISO 20022 messages are UTF-8; what is declared or looks otherwise is refused, not guessed. */
function decodeXml(bytes: Buffer): string {
  const text = utf8(bytes);
  if (text === undefined) throw malformedStatement('The file is not UTF-8, as ISO 20022 asks for.');
  const [, declared = 'UTF-8'] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(text) ?? [];
  if (/^utf-?8$/i.test(declared)) return text;
  throw malformedStatement(
    `The file is declared as ${declared.slice(0, 40)}; ISO 20022 asks for UTF-8.`,
  );
}

/** UTF-8; a file that is not is taken for Windows-1252, in which German banks still write. */
function decodeCsv(bytes: Buffer): string {
  const text = utf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
  // Two bytes a character, or no text at all.
  if (/[^\P{Cc}\t\r\n]/u.test(text)) throw malformedStatement('The file is not text in UTF-8.');
  return text;
}

function utf8(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}

/** @throws DomainError for what is not well formed, has a document type, or nests too deep */
function parseXml(text: string): XmlElement {
  const parser = sax.parser(true, STRICT);
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const addText = (more: string) => {
    const element = open.at(-1);
    if (element) element.text += more;
  };
  Object.assign(parser, {
    onerror: (error: Error) => {
      const [reason = ''] = error.message.split('\n');
      throw malformedStatement(
        `The file is no well-formed XML, line ${parser.line + 1}: ${reason}.`,
      );
    },
    // With no document type there is no entity to expand or to fetch.
    ondoctype: () => {
      throw malformedStatement('The file has a document type (DOCTYPE); none is read.');
    },
    onopentag: (tag: QualifiedTag) => {
      if (open.length >= LARGEST_DEPTH) {
        throw malformedStatement(`The file nests deeper than ${LARGEST_DEPTH} elements.`);
      }
      if (root && open.length === 0) throw malformedStatement('The file has two XML documents.');
      const element = elementOf(tag);
      open.at(-1)?.children.push(element);
      root ??= element;
      open.push(element);
    },
    onclosetag: () => void open.pop(),
    ontext: addText,
    oncdata: addText,
  });
  parser.write(text).close();
  if (!root) throw malformedStatement('The file has no XML element in it.');
  return root;
}

function elementOf({ local, uri, attributes }: QualifiedTag): XmlElement {
  const named = Object.values(attributes).map(
    ({ local: name, value }: QualifiedAttribute): [string, string] => [name, value],
  );
  return { name: local, namespace: uri, attributes: new Map(named), children: [], text: '' };
}

/** The one that parts the most lines of the beginning into the same number of cells. */
function delimiterOf(text: string): string {
  const head = text.split(/\r?\n/, 20);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = head.map((line) => line.split(delimiter).length).filter((count) => count > 1);
    const lines = (count: number) => counts.filter((other) => other === count).length;
    return { delimiter, score: Math.max(0, ...counts.map((count) => count * lines(count))) };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  const isOne = scores.filter(({ score }) => score === best.score).length === 1;
  if (best.score > 0 && isOne) return best.delimiter;
  throw malformedStatement('What parts the columns is not clear; send delimiter.');
}

function parseCsv(text: string, delimiter: string): CsvRow[] {
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LARGEST_RECORD_CHARACTERS,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof CsvError)) throw error;
    throw malformedStatement(`The file is no well-formed CSV: ${error.message.slice(0, 200)}.`);
  }
}
