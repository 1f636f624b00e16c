import { createPublicKey } from 'node:crypto';
import { resolveTxt } from 'node:dns/promises';
import type { MailConfig } from '../../platform/config/mail-config.js';
import { smtpTransport } from './smtp-sender.js';

/** TXT records of a name, each in its parts. */
type ReadTxt = (name: string) => Promise<string[][]>;

/**
 * Connects to the mail server, and looks whether others can tell that messages are ours.
 * @returns what is fine, or a warning of what is missing in DNS
 * @throws where the mail server does not let us in
 */
export async function examineMail(
  config: MailConfig,
  readTxt: ReadTxt = resolveTxt,
): Promise<string | { warning: string }> {
  const transport = smtpTransport(config);
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(`QUITTANCE_SMTP_URL: ${(error as Error).message}`, { cause: error });
  } finally {
    transport.close();
  }
  const domain = config.from.slice(config.from.lastIndexOf('@') + 1);
  const missing = [await spfFault(domain, readTxt), await dkimFault(config, readTxt)].filter(
    (fault) => fault !== null,
  );
  if (missing.length > 0) return { warning: missing.join('; ') };
  const signed = config.dkim ? 'SPF and DKIM are in DNS' : 'SPF is in DNS; the mail server signs';
  return `the mail server answers; ${signed}`;
}

/** RFC 7208: who may send for a domain. */
async function spfFault(domain: string, readTxt: ReadTxt): Promise<string | null> {
  const records = await texts(domain, readTxt);
  if (records.some((text) => /^v=spf1(\s|$)/i.test(text))) return null;
  return `${domain} has no SPF record: add one that names the mail server`;
}

/** RFC 6376: the key that signatures are verified by. */
async function dkimFault({ dkim }: MailConfig, readTxt: ReadTxt): Promise<string | null> {
  if (!dkim) return null;
  const name = `${dkim.keySelector}._domainkey.${dkim.domainName}`;
  const der = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' });
  const key = der.toString('base64');
  const published = (await texts(name, readTxt)).map((text) => tagOf(text, 'p'));
  if (published.includes(key)) return null;
  if (published.length === 0) return `${name} has no DKIM record: add "v=DKIM1; p=${key}"`;
  return `${name} has another key than QUITTANCE_DKIM_KEY_FILE`;
}

function tagOf(record: string, tag: string): string | undefined {
  const tags = record.split(';').map((part) => part.trim());
  return tags
    .find((part) => part.startsWith(`${tag}=`))
    ?.slice(tag.length + 1)
    .replace(/\s/g, '');
}

/** A name that is not there has none. */
async function texts(name: string, readTxt: ReadTxt): Promise<string[]> {
  const records = await readTxt(name).catch(() => []);
  return records.map((parts) => parts.join(''));
}
