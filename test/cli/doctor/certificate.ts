import 'reflect-metadata';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { KeyObject } from 'node:crypto';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Its own authority. */
export async function aCertificate(host: string, notAfter: Date) {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    keys,
    notAfter,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: certificate.toString('pem'), key };
}
