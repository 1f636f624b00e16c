import { z } from 'zod';
import { ArchiveFault } from './archive-fault.js';
import { type BinaryValue, jsonOf, typeName, valuesIn } from './binary-values.js';

/** Another form of the file gets another number (decision 300). */
export const ARCHIVE_FORMAT = 1;

const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Sequence = z.int().positive();

const Header = z.strictObject({
  quittance_archive: z.int(),
  account: z.string(),
  year: z.int(),
  made_at: z.string(),
  program: z.string(),
  first: Sequence,
  last: Sequence,
  /** Of the seal before the first; empty before the first of a chain. */
  anchor: z.union([Digest, z.literal('')]),
  /** Of each table the columns, in the order in which they are digested, with their types. */
  tables: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
});
export type ArchiveHeader = z.infer<typeof Header>;

const Line = z.union([
  z.strictObject({
    seal: z.looseObject({ version: z.int() }),
    digest: Digest,
    bytes: z.base64(),
  }),
  z.strictObject({ table: z.string(), row: z.unknown(), bytes: z.base64() }),
  z.strictObject({ end: z.strictObject({ seals: z.int(), rows: z.int() }), sha256: Digest }),
]);
export type ArchiveLine = z.infer<typeof Line>;

/** Those of a seal, behind the digest of the seal before. */
const OF_SEAL = [
  'previous',
  'account_id',
  'sequence',
  'from_xact',
  'through_xact',
  'contents',
  'rows',
  'sealed_at',
  'version',
];

/** Names by hand: JSON.stringify moves those that look like numbers. */
function objectText(names: readonly string[], values: readonly BinaryValue[]): string {
  const members = values.map(
    (value, at) => `${JSON.stringify(names[at] ?? `${at}`)}:${jsonOf(value)}`,
  );
  return `{${members.join(',')}}`;
}

export const headerLine = (header: ArchiveHeader): string => JSON.stringify(header);

export function sealLine(bytes: Buffer, digest: string): string {
  const shown = objectText(OF_SEAL, valuesIn(bytes));
  return `{"seal":${shown},"digest":"${digest}","bytes":"${bytes.toString('base64')}"}`;
}

export function rowLine(table: string, columns: readonly string[], bytes: Buffer): string {
  const shown = objectText(columns, valuesIn(bytes));
  return `{"table":${JSON.stringify(table)},"row":${shown},"bytes":"${bytes.toString('base64')}"}`;
}

export const endLine = (seals: number, rows: number, sha256: string): string =>
  JSON.stringify({ end: { seals, rows }, sha256 });

/** As the header names them: of each value its type is in the bytes. */
export const typesOf = (bytes: Buffer): string[] =>
  valuesIn(bytes).map(({ type }) => typeName(type));

/** @throws ArchiveFault */
export function archiveHeaderIn(text: string): ArchiveHeader {
  const parsed = parsedJson(text);
  const { data: form } = z.looseObject({ quittance_archive: z.int() }).safeParse(parsed);
  if (!form) throw new ArchiveFault('this is no archive of Quittance');
  if (form.quittance_archive !== ARCHIVE_FORMAT)
    throw new ArchiveFault(
      `the archive has the form ${form.quittance_archive}, and this program reads ${ARCHIVE_FORMAT}: take a later one`,
    );
  const { data: header } = Header.safeParse(parsed);
  if (!header) throw new ArchiveFault('the first line is not as it was written');
  return header;
}

/** Null: no line of an archive. */
export function lineIn(text: string): ArchiveLine | null {
  return Line.safeParse(parsedJson(text)).data ?? null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
