import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { KeyObject } from 'node:crypto';
import { NOW } from '../gateway-builders.js';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const YEAR_MS = 365 * 86_400_000;

export interface Issued {
  certificate: X509Certificate;
  keys: CryptoKeyPair;
  pem: string;
  key: KeyObject;
}

/** A certificate that really is signed by its issuer, or by itself. */
export async function aCertificate(
  subject: string,
  {
    issuer,
    ca = false,
    notBefore = new Date(NOW.getTime() - YEAR_MS),
    notAfter = new Date(NOW.getTime() + YEAR_MS),
    modulusLength = 2048,
    keys: givenKeys,
  }: {
    issuer?: Pick<Issued, 'certificate' | 'keys'>;
    ca?: boolean;
    notBefore?: Date;
    notAfter?: Date;
    modulusLength?: number;
    keys?: CryptoKeyPair;
  } = {},
): Promise<Issued> {
  const keys = givenKeys ?? (await aKeyPair(modulusLength));
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    notBefore,
    notAfter,
    signingAlgorithm: RSA,
    extensions: [new BasicConstraintsExtension(ca, undefined, true)],
  });
  const key = KeyObject.from(keys.privateKey);
  return { certificate, keys, pem: certificate.toString('pem'), key };
}

const FIRST = 3;
const SPARE = 6;
const made: Promise<CryptoKeyPair>[] = [];
let taken = 0;

/**
 * RSA keys take long to make. The chain that a file begins with has its own, all others come again
 * after six: no test needs as many.
 */
async function aKeyPair(modulusLength: number): Promise<CryptoKeyPair> {
  const algorithm = { ...RSA, modulusLength };
  const generated = async () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  if (modulusLength !== RSA.modulusLength) return generated();
  const at = taken < FIRST ? taken : FIRST + (taken % SPARE);
  taken += 1;
  return (made[at] ??= generated());
}

/**
 * `base` with some letters of its filler in the other case, so that its CRC32 becomes `target`.
 * CRC32 is linear over XOR, so this is 32 equations in as many unknowns as there are letters.
 */
export function forgeCrc(base: string, filler: string, target: number, crc: Crc): string {
  const at = base.indexOf(filler);
  const flipped = (bits: readonly number[]): string => {
    const letters = [...filler];
    for (const bit of bits) letters[bit] = letters[bit]?.toUpperCase() ?? '';
    return base.slice(0, at) + letters.join('') + base.slice(at + filler.length);
  };
  const start = crc(base);
  const basis: { effect: number; bits: Set<number> }[] = [];
  for (let bit = 0; bit < filler.length; bit += 1) {
    const row = { effect: (crc(flipped([bit])) ^ start) >>> 0, bits: new Set([bit]) };
    for (const known of basis) reduce(row, known);
    if (row.effect !== 0) basis.push(row);
  }
  const wanted = { effect: (start ^ target) >>> 0, bits: new Set<number>() };
  for (const known of basis) reduce(wanted, known);
  if (wanted.effect !== 0) throw new Error('the filler is too short');
  return flipped([...wanted.bits]);
}

type Crc = (text: string) => number;
interface Row {
  effect: number;
  bits: Set<number>;
}

function reduce(row: Row, known: Row): void {
  const top = 31 - Math.clz32(known.effect);
  if (((row.effect >>> top) & 1) === 0) return;
  row.effect = (row.effect ^ known.effect) >>> 0;
  for (const bit of known.bits) if (!row.bits.delete(bit)) row.bits.add(bit);
}
