import { pinnedCertificates } from '../../gateways/index.js';
import type { Config } from '../../platform/config/config.js';
import { clientFor } from '../../platform/database/servers/server-client.js';
import { daysUntil, failed, fine, type Finding, unasked, warned } from '../../platform/finding.js';
import {
  certificateOfMailServer,
  type ShownCertificate,
  shownCertificate,
} from '../../platform/http/outgoing/handshake.js';
import { askServer } from './server.js';

/** Certificates of 47 days are the rule from 2029 on: what renews them has run by then. */
const SHORT_DAYS = 10;
/** Ours come with a release. */
const SHORT_PINNED_DAYS = 180;
const RENEW = 'renew it, and see why nothing has renewed it by itself';
const TIMEOUT_MS = 5000;

interface Trust {
  now: Date;
  /** Authorities beside the system's, for tests. */
  ca?: string | undefined;
}

/** Days and names of the certificates that others, and we, rely on. */
export async function examineCertificates(
  config: Config,
  databaseUrl: string,
  trust: Trust,
): Promise<Finding[]> {
  const shownByOthers = await Promise.all([
    ofPublicAddress(config, trust),
    ofMailServer(config, trust),
    ofDatabase(databaseUrl, trust.now),
  ]);
  return [...shownByOthers, ofPayPal(trust.now)];
}

async function ofPublicAddress({ baseUrl }: Config, { now, ca }: Trust): Promise<Finding> {
  const check = 'certificate';
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return fine(check, `${baseUrl} has none`);
  const place = { host: hostname, port: Number(port) || 443, ca, timeoutMs: TIMEOUT_MS };
  return shown(check, hostname, now, async () => shownCertificate(place));
}

async function ofMailServer({ mail }: Config, { now, ca }: Trust): Promise<Finding> {
  const check = 'certificate_mail';
  if (!mail) return fine(check, 'no mail server is configured');
  const { protocol, hostname, port } = new URL(mail.url);
  const place = { host: hostname, ca, timeoutMs: TIMEOUT_MS };
  return shown(check, hostname, now, async () =>
    protocol === 'smtps:'
      ? shownCertificate({ ...place, port: Number(port) || 465 })
      : certificateOfMailServer({ ...place, port: Number(port) || 587 }),
  );
}

async function shown(
  check: string,
  host: string,
  now: Date,
  ask: () => Promise<ShownCertificate | null>,
): Promise<Finding> {
  try {
    const certificate = await ask();
    if (certificate) return judgeCertificate(check, host, certificate, now);
    return warned(check, `${host} offers no STARTTLS: letters pass in the clear`, 'switch it on');
  } catch (error) {
    return unasked(check, `${host}: ${(error as Error).message}`, 'see whether it listens there');
  }
}

export function judgeCertificate(
  check: string,
  host: string,
  { subject, issuer, validTo, fault }: ShownCertificate,
  now: Date,
): Finding {
  const days = daysUntil(validTo, now);
  const detail = `that of ${host} (${subject}, by ${issuer}) is valid for ${days} days`;
  if (days < 0) return failed(check, `that of ${host} ended ${-days} days ago`, RENEW);
  if (fault !== null) {
    const next = 'serve one for this name, with the chain up to its root (fullchain.pem)';
    return failed(check, `${detail}, and callers refuse it: ${fault}`, next);
  }
  return days < SHORT_DAYS ? warned(check, detail, RENEW) : fine(check, detail);
}

/** The session says whether it is encrypted; its socket, by which certificate. */
async function ofDatabase(url: string, now: Date): Promise<Finding> {
  const check = 'certificate_database';
  const { host } = clientFor(url);
  const isNear = host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  try {
    return await askServer(url, async (client) => {
      const { stream } = client.connection as unknown as { stream: Partial<TlsStream> };
      const shownByServer = stream.getPeerCertificate?.();
      if (!shownByServer) {
        return isNear
          ? fine(check, 'the database is on this machine')
          : warned(
              check,
              `the way to ${host} is not encrypted`,
              'add ?sslmode=verify-full to DATABASE_URL',
            );
      }
      const days = daysUntil(new Date(shownByServer.valid_to), now);
      const detail = `that of ${host} is valid for ${days} days`;
      if (days < 0) return failed(check, `that of ${host} ended ${-days} days ago`, RENEW);
      return days < SHORT_DAYS ? warned(check, detail, RENEW) : fine(check, detail);
    });
  } catch (error) {
    return unasked(check, (error as Error).message, 'see whether the database answers');
  }
}

interface TlsStream {
  getPeerCertificate(): { valid_to: string };
}

/** They come with Quittance, or with Node: PayPal's own leads to them. */
function ofPayPal(now: Date): Finding {
  const check = 'certificate_paypal';
  const [first] = pinnedCertificates().toSorted((one, other) => +one.validTo - +other.validTo);
  if (!first) return failed(check, 'this Node has no root that PayPal signs by', 'update Node');
  const days = daysUntil(first.validTo, now);
  const detail = `${first.name}, by which PayPal signs, is valid for ${days} days`;
  if (days < 0) return failed(check, detail, 'update Quittance');
  return days < SHORT_PINNED_DAYS ? warned(check, detail, 'update Quittance') : fine(check, detail);
}
