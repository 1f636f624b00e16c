import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { AddressList } from '../../kernel/address-list.js';
import type { MailConfig } from '../../platform/config/mail-config.js';
import { failed, fine, type Finding, unasked, warned } from '../../platform/finding.js';
import { type NameRecords, NameServersSilent } from '../../platform/http/outgoing/name-records.js';

const ASK_AGAIN = 'look whether this machine reaches a name server, and ask again';
/** Addresses that others never see. */
const PRIVATE = new AddressList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]);

/** Whether mail servers elsewhere can tell that messages are ours. Each look is a finding of its own. */
export async function examineMailDomain(
  config: MailConfig,
  records: NameRecords,
): Promise<Finding[]> {
  const domain = mailDomainOf(config);
  return Promise.all([
    examineSpf(domain, records),
    examineDkim(config, records),
    examineDmarc(domain, records),
    examineMailHosts(domain, records),
    examineReverseName(config, records),
  ]);
}

export function mailDomainOf({ from }: MailConfig): string {
  return from.slice(from.lastIndexOf('@') + 1);
}

/** RFC 7208: who may send for a domain. */
export async function examineSpf(domain: string, records: NameRecords): Promise<Finding> {
  return heard('mail_spf', async (check) => {
    const found = (await records.texts(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
    const [record = ''] = found;
    const next = 'add one that names the servers which send for it, such as "v=spf1 mx -all"';
    if (found.length === 0) return warned(check, `${domain} has no SPF record`, next);
    if (found.length > 1) {
      const detail = `${domain} has ${found.length} SPF records, so that none counts`;
      return failed(check, detail, 'leave one of them');
    }
    if (/\s\+?all(\s|$)/i.test(record)) {
      const detail = `the SPF record of ${domain} lets everybody send: ${record}`;
      return failed(check, detail, 'end it with -all or ~all');
    }
    return fine(check, `SPF is in DNS: ${record}`);
  });
}

/** RFC 6376: the key that signatures are verified by. */
export async function examineDkim({ dkim }: MailConfig, records: NameRecords): Promise<Finding> {
  return heard('mail_dkim', async (check) => {
    if (!dkim) return fine(check, 'the mail server signs, or nobody: QUITTANCE_DKIM_SELECTOR');
    const name = `${dkim.keySelector}._domainkey.${dkim.domainName}`;
    const der = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' });
    const key = der.toString('base64');
    const published = (await records.texts(name)).map((text) => tagOf(text, 'p'));
    if (published.includes(key)) return fine(check, `${name} has the key of our signatures`);
    const next = `publish "v=DKIM1; p=${key}" at ${name}`;
    return published.length === 0
      ? warned(check, `${name} has no DKIM record`, next)
      : failed(check, `${name} has another key than QUITTANCE_DKIM_KEY_FILE`, next);
  });
}

/** RFC 7489: the domain itself, or else the one above it. */
async function examineDmarc(domain: string, records: NameRecords): Promise<Finding> {
  return heard('mail_dmarc', async (check) => {
    const labels = domain.split('.');
    const above = labels.slice(0, Math.max(1, labels.length - 1)).map((_, at) => labels.slice(at));
    for (const name of above.map((some) => `_dmarc.${some.join('.')}`)) {
      const record = (await records.texts(name)).find((text) => /^v=DMARC1\s*;/i.test(text));
      const policy = record && tagOf(record, 'p');
      if (record && policy) return fine(check, `${name} asks for ${policy}`);
      if (record) return failed(check, `${name} has no policy`, 'add p=none to it, at least');
    }
    const next = `add "v=DMARC1; p=none" at _dmarc.${domain}: large mail hosts ask for it`;
    return warned(check, `${domain} has no DMARC record`, next);
  });
}

/** Answers, and messages that come back, need a place. */
async function examineMailHosts(domain: string, records: NameRecords): Promise<Finding> {
  return heard('mail_mx', async (check) => {
    const hosts = await records.mailHosts(domain);
    if (hosts.some((host) => host !== ''))
      return fine(check, `${domain} is at ${hosts.join(', ')}`);
    const next = 'add an MX record: some mail servers refuse senders that nobody can answer';
    return warned(check, `${domain} takes no mail`, next);
  });
}

/** A server without a name that leads back to it is refused by many. */
async function examineReverseName({ url }: MailConfig, records: NameRecords): Promise<Finding> {
  return heard('mail_reverse', async (check) => {
    const host = new URL(url).hostname.replaceAll(/[[\]]/g, '');
    const addresses = isIP(host) === 0 ? await records.addresses(host) : [host];
    const open = addresses.filter((address) => !PRIVATE.has(address));
    if (open.length === 0) {
      return fine(check, `${host} is near: the address that others see is not known here`);
    }
    const without: string[] = [];
    for (const address of open) {
      const names = await records.namesOf(address);
      const back = await Promise.all(names.map(async (name) => records.addresses(name)));
      if (!back.flat().includes(address)) without.push(address);
    }
    if (without.length === 0) return fine(check, `${open.join(', ')} has a name that leads back`);
    const detail = `no name of ${without.join(', ')} leads back to it`;
    return warned(check, detail, 'ask its provider for a reverse name, if it sends by itself');
  });
}

async function heard(check: string, work: (check: string) => Promise<Finding>): Promise<Finding> {
  try {
    return await work(check);
  } catch (error) {
    if (error instanceof NameServersSilent) return unasked(check, error.message, ASK_AGAIN);
    throw error;
  }
}

function tagOf(record: string, tag: string): string | undefined {
  const tags = record.split(';').map((part) => part.trim());
  return tags
    .find((part) => part.startsWith(`${tag}=`))
    ?.slice(tag.length + 1)
    .replace(/\s/g, '');
}
