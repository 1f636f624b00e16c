import type { MailConfig } from '../../platform/config/mail-config.js';
import { type NameRecords, nameRecords } from '../../platform/http/outgoing/name-records.js';
import { examineDkim, examineSpf, mailDomainOf } from './mail-domain.js';
import { smtpTransport } from './smtp-sender.js';

/**
 * Connects to the mail server, and looks whether others can tell that messages are ours.
 * @returns what is fine, or a warning of what is missing in DNS, or could not be asked
 * @throws where the mail server does not let us in
 */
export async function examineMail(
  config: MailConfig,
  records: NameRecords = nameRecords(),
): Promise<string | { warning: string }> {
  const transport = smtpTransport(config);
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(`QUITTANCE_SMTP_URL: ${(error as Error).message}`, { cause: error });
  } finally {
    transport.close();
  }
  const found = await Promise.all([
    examineSpf(mailDomainOf(config), records),
    examineDkim(config, records),
  ]);
  const wrong = found.filter(({ ok, warning }) => warning || !ok);
  if (wrong.length > 0) {
    return { warning: wrong.map(({ detail, next }) => `${detail}: ${next}`).join('; ') };
  }
  const signed = config.dkim ? 'SPF and DKIM are in DNS' : 'SPF is in DNS; the mail server signs';
  return `the mail server answers; ${signed}`;
}
