import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';

/** A new key pair, as `age-keygen` prints it. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Bytes for those alone who have the identity of a recipient; https://age-encryption.org/v1 */
export async function encrypted(
  content: Readable,
  recipients: readonly string[],
): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return Readable.fromWeb((await encrypter.encrypt(webOf(content))) as WebStream<Uint8Array>);
}

/**
 * The bytes of before, each piece once it is proved to be unchanged; an end that is missing is told.
 * @throws if no identity is of its recipients
 */
export async function decrypted(
  content: ReadableStream<Uint8Array>,
  identities: readonly string[],
): Promise<Readable> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return Readable.fromWeb((await decrypter.decrypt(content)) as WebStream<Uint8Array>);
}

/** Identities of a file as `age-keygen` and `backups key` write it. */
export async function identitiesIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  const found = lines.filter((line) => /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/.test(line));
  if (found.length === 0) throw new Error(`${file} has no identity of age, AGE-SECRET-KEY-1...`);
  return found;
}

const webOf = (content: Readable) => Readable.toWeb(content) as ReadableStream<Uint8Array>;
