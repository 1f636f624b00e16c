// This comes before @peculiar/x509, whose injector reads its metadata at load.
import 'reflect-metadata';
import { KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const VALID_YEARS = 10;

const SUBJECTS = {
  live: 'messageverificationcerts.paypal.com',
  sandbox: 'messageverificationcerts.sandbox.paypal.com',
} as const;

/** Paths of PEM files, in the order of a PayPal gateway's settings of the same meaning. */
export interface PayPalDemoCertificates {
  /** The demo root: `ANCHORS`, refused in production. */
  anchors: string;
  /** The signing certificate in the name of PayPal's: `CERTIFICATES`. */
  certificates: string;
  /** Its private key: `DEMO_KEY`, refused in production. */
  demoKey: string;
}

/**
 * A certificate authority of our own and a signing certificate named as PayPal's, so that a demo
 * can send deliveries that verify. Trusted only where their root is configured as an anchor.
 * Kept between calls: files that are there, for the same environment, are not made again.
 */
export async function createPayPalDemoCertificates(options: {
  folder: string;
  environment: 'live' | 'sandbox';
  /** Valid from the day before; the present when absent. */
  now?: Date;
}): Promise<PayPalDemoCertificates> {
  const { folder, environment, now = new Date() } = options;
  const paths = {
    anchors: join(folder, 'anchors.pem'),
    certificates: join(folder, 'certificates.pem'),
    demoKey: join(folder, 'leaf-key.pem'),
  };
  const kept = Object.values(paths).every((path) => existsSync(path));
  if (kept && isFor(environment, readFileSync(paths.certificates, 'utf8'))) return paths;

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { anchor, leaf, key } = await makeChain(SUBJECTS[environment], now);
  for (const [path, pem] of [
    [paths.anchors, anchor],
    [paths.certificates, leaf],
    [paths.demoKey, key],
  ] as const) {
    writeFileSync(path, `${pem}\n`, { mode: 0o600 });
  }
  return paths;
}

async function makeChain(
  commonName: string,
  now: Date,
): Promise<{ anchor: string; leaf: string; key: string }> {
  // Only the first start of a demo needs it: later ones find the files.
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } =
    await import('@peculiar/x509');
  const notBefore = new Date(now.getTime() - 24 * 3_600_000);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_YEARS);
  const rootKeys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const leafKeys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Quittance demo root, not for production',
    keys: rootKeys,
    notBefore,
    notAfter,
    signingAlgorithm: RSA,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const leaf = await X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    issuer: root.subject,
    publicKey: leafKeys.publicKey,
    signingKey: rootKeys.privateKey,
    notBefore,
    notAfter,
    signingAlgorithm: RSA,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    ],
  });
  const key = KeyObject.from(leafKeys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { anchor: root.toString('pem'), leaf: leaf.toString('pem'), key: String(key).trim() };
}

function isFor(environment: 'live' | 'sandbox', pem: string): boolean {
  try {
    return new X509Certificate(pem).subject === `CN=${SUBJECTS[environment]}`;
  } catch {
    return false;
  }
}
