import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import { InvalidSignature } from '../../payments/index.js';
import { PAYPAL_INTERMEDIATES } from './paypal-intermediates.js';
import { AnswerTooLong, readLimited } from '../../platform/http/outgoing/bounded-call.js';
import { unavailable } from '../provider-api.js';

export type PayPalEnvironment = 'live' | 'sandbox';

const FETCH_TIMEOUT_MS = 3_000;
const FILE_LIMIT_BYTES = 64 * 1024;
const FILE_LIMIT_CERTIFICATES = 8;
const CACHE_LIMIT_URLS = 32;
const CACHE_MS = 12 * 3_600_000;
/** Anyone may send us a new CERT-URL: how many of them we look up in a minute. */
const FETCH_LIMIT_PER_MINUTE = 10;
/** Between the signing certificate and the root: one, or two where the root is cross-signed. */
const INTERMEDIATES_LIMIT = 2;
const RSA_BITS_MINIMUM = 2048;

const HOSTS: Readonly<Record<PayPalEnvironment, readonly string[]>> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};
const SUBJECTS: Readonly<Record<PayPalEnvironment, string>> = {
  live: 'messageverificationcerts.paypal.com',
  sandbox: 'messageverificationcerts.sandbox.paypal.com',
};

/**
 * The roots of PayPal's chains, out of Node's own list by SHA-256. DigiCert Global Root G2 is in
 * use since October 2024; TLS RSA4096 Root G5 is its successor. The older DigiCert roots are gone
 * from Node 24, as from the browsers, so pinning them would differ between Node versions.
 */
const PINNED_ROOTS = new Set([
  'CB:3C:CB:B7:60:31:E5:E0:13:8F:8D:D3:9A:23:F9:DE:47:FF:C3:5E:43:C1:14:4C:EA:27:D4:6A:5A:B1:CB:5F',
  '37:1A:00:DC:05:33:B3:72:1A:7E:EB:40:E8:41:9E:70:79:9D:2B:0A:0F:2C:1D:80:69:31:65:F7:CE:C4:AD:75',
]);

/** The instants between which every certificate of a path is valid, in Unix milliseconds. */
interface Validity {
  notBefore: number;
  notAfter: number;
}

interface SigningCertificate extends Validity {
  key: KeyObject;
}

interface Fetched {
  /** Unix milliseconds. */
  at: number;
  certificate: Promise<SigningCertificate>;
}

export interface PayPalTrust {
  environment: PayPalEnvironment;
  /** Known certificates: signing ones become the only ones accepted, CAs join the intermediates. */
  certificates: readonly X509Certificate[];
  /** Roots beside the built-in ones: for demos and tests. */
  anchors: readonly X509Certificate[];
}

/**
 * Decides which public keys speak for PayPal. With known signing certificates nothing is ever
 * fetched; without, the one that the delivery names is, within limits, and has to prove
 * itself (decision 5).
 */
export class PayPalCertificates {
  private readonly anchors: readonly X509Certificate[];
  private readonly intermediates: readonly X509Certificate[];
  private readonly known: readonly SigningCertificate[];
  private readonly fetched = new Map<string, Fetched>();
  private recentFetches: number[] = [];

  /** @throws InvalidSignature when a known signing certificate is not PayPal's */
  constructor(
    private readonly trust: PayPalTrust,
    private readonly clock: Clock,
    private readonly fetch: typeof globalThis.fetch,
  ) {
    this.anchors = [...builtInRoots(), ...trust.anchors];
    this.intermediates = [
      ...PAYPAL_INTERMEDIATES.map((pem) => new X509Certificate(pem)),
      ...trust.certificates.filter((certificate) => certificate.ca),
    ];
    this.known = trust.certificates
      .filter((certificate) => !certificate.ca)
      .map((certificate) => this.signingCertificate(certificate, []));
  }

  /**
   * The keys that may have signed a delivery, valid now.
   * @throws InvalidSignature when there is none
   * @throws DomainError `unavailable` when the certificate cannot be fetched now
   */
  async keysFor(certUrl: string): Promise<KeyObject[]> {
    this.refuseForeignUrl(certUrl);
    const candidates = this.known.length > 0 ? this.known : [await this.fetchedFrom(certUrl)];
    const now = this.clock.serverNow().getTime();
    const valid = candidates.filter(
      ({ notBefore, notAfter }) => notBefore <= now && now <= notAfter,
    );
    if (valid.length === 0) throw new InvalidSignature('no PayPal certificate is valid now');
    return valid.map(({ key }) => key);
  }

  /** The URL comes from the sender: only PayPal's own place, spelled in exactly one way. */
  private refuseForeignUrl(certUrl: string): void {
    const [, host = ''] =
      /^https:\/\/([a-z.-]+)\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,80}$/.exec(certUrl) ??
      [];
    if (!HOSTS[this.trust.environment].includes(host)) {
      throw new InvalidSignature('the certificate URL is not one of PayPal');
    }
  }

  /** One fetch a URL, shared by all deliveries that wait for it; failures are not kept. */
  private fetchedFrom(certUrl: string): Promise<SigningCertificate> {
    const now = this.clock.serverNow().getTime();
    const cached = this.fetched.get(certUrl);
    if (cached && now - cached.at < CACHE_MS) return cached.certificate;
    this.recentFetches = this.recentFetches.filter((at) => now - at < 60_000);
    if (this.recentFetches.length >= FETCH_LIMIT_PER_MINUTE) throw unavailable('PayPal');
    this.recentFetches.push(now);
    const certificate = this.download(certUrl).then((pem) => this.fromFile(pem));
    this.fetched.set(certUrl, { at: now, certificate });
    certificate.catch(() => this.fetched.delete(certUrl));
    if (this.fetched.size > CACHE_LIMIT_URLS) {
      const [oldest = certUrl] = this.fetched.keys();
      this.fetched.delete(oldest);
    }
    return certificate;
  }

  /** CAs in the file are only candidates: they, too, have to lead to a pinned root. */
  private fromFile(pem: string): SigningCertificate {
    const certificates = readCertificates(pem) ?? [];
    const leaf = certificates.find((certificate) => !certificate.ca);
    if (!leaf) throw new InvalidSignature('the certificate URL holds no signing certificate');
    const sent = certificates.filter((certificate) => certificate.ca);
    return this.signingCertificate(leaf, sent);
  }

  private async download(certUrl: string): Promise<string> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    let status: number;
    let body: Buffer;
    try {
      const response = await this.fetch(certUrl, { redirect: 'manual', signal });
      status = response.status;
      body = await readLimited(response, FILE_LIMIT_BYTES);
    } catch (error) {
      if (error instanceof AnswerTooLong) throw new InvalidSignature('the certificate is too long');
      throw unavailable('PayPal');
    }
    if (status >= 500 || status === 429) throw unavailable('PayPal');
    if (status !== 200) throw new InvalidSignature('PayPal has no such certificate');
    return body.toString('latin1');
  }

  private signingCertificate(
    leaf: X509Certificate,
    sent: readonly X509Certificate[],
  ): SigningCertificate {
    const names = leaf.subject.split('\n').filter((line) => line.startsWith('CN='));
    const [name] = names;
    if (names.length !== 1 || name !== `CN=${SUBJECTS[this.trust.environment]}`) {
      throw new InvalidSignature('the certificate is not in the name of PayPal');
    }
    const { publicKey: key } = leaf;
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== 'rsa' || bits < RSA_BITS_MINIMUM) {
      throw new InvalidSignature('the certificate has no RSA key of 2048 bits');
    }
    const path = this.pathToAnchor(leaf, [...this.intermediates, ...sent], INTERMEDIATES_LIMIT);
    if (!path) throw new InvalidSignature('the certificate leads to no trusted root');
    return { ...path, key };
  }

  /**
   * Follows issuers up to a pinned root. It checks the name and the signature of every hop, and
   * that each issuer is a CA. Else any site's certificate could issue one for PayPal.
   */
  private pathToAnchor(
    certificate: X509Certificate,
    intermediates: readonly X509Certificate[],
    hopsLeft: number,
  ): Validity | undefined {
    const own = validityOf(certificate);
    const anchor = this.anchors.find((candidate) => issued(candidate, certificate));
    if (anchor) return overlap(own, validityOf(anchor));
    if (hopsLeft === 0) return undefined;
    for (const candidate of intermediates) {
      if (!issued(candidate, certificate)) continue;
      const rest = this.pathToAnchor(candidate, intermediates, hopsLeft - 1);
      if (rest) return overlap(own, rest);
    }
    return undefined;
  }
}

/** All certificates of a PEM file; undefined when it holds none, a broken one or too many. */
export function readCertificates(pem: string): X509Certificate[] | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || blocks.length > FILE_LIMIT_CERTIFICATES) return undefined;
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

/** The pinned ones of Node's own root certificates. */
export function builtInRoots(): X509Certificate[] {
  return rootCertificates
    .map((pem) => new X509Certificate(pem))
    .filter((root) => PINNED_ROOTS.has(root.fingerprint256));
}

/** Those that PayPal's own lead to, which come with Node and with us. */
export function pinnedCertificates(): { name: string; validTo: Date }[] {
  const intermediates = PAYPAL_INTERMEDIATES.map((pem) => new X509Certificate(pem));
  return [...builtInRoots(), ...intermediates].map((certificate) => ({
    name: /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? certificate.subject,
    validTo: new Date(validityOf(certificate).notAfter),
  }));
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

// `validFromDate` needs Node 22.10; OpenSSL's text form parses exactly.
function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) };
}

function overlap(one: Validity, other: Validity): Validity {
  return {
    notBefore: Math.max(one.notBefore, other.notBefore),
    notAfter: Math.min(one.notAfter, other.notAfter),
  };
}
