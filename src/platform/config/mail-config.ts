import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.js';

/** The operator's mail server, and in whose name mail goes out. */
export interface MailConfig {
  /** `smtp://user:password@host:587`, or `smtps://`. */
  url: string;
  /** The address that messages come from. */
  from: string;
  /** How messages are signed (RFC 6376); null: the mail server signs, or nobody. */
  dkim: { domainName: string; keySelector: string; privateKey: string } | null;
}

/** Most that leaves within 24 hours: stolen credentials should not be a way to flood strangers. */
export interface MailLimits {
  /** Messages of one document. */
  document: number;
  /** Letters of one account to one mailbox. */
  recipient: number;
  /** Letters of one account. */
  account: number;
}

interface MailVariables {
  QUITTANCE_SMTP_URL?: string | undefined;
  QUITTANCE_MAIL_FROM?: string | undefined;
  QUITTANCE_DKIM_SELECTOR?: string | undefined;
  QUITTANCE_DKIM_KEY_FILE?: string | undefined;
}

export function mailLimits(variables: {
  QUITTANCE_MAIL_DOCUMENT_LIMIT: number;
  QUITTANCE_MAIL_RECIPIENT_LIMIT: number;
  QUITTANCE_MAIL_ACCOUNT_LIMIT: number;
}): MailLimits {
  return {
    document: variables.QUITTANCE_MAIL_DOCUMENT_LIMIT,
    recipient: variables.QUITTANCE_MAIL_RECIPIENT_LIMIT,
    account: variables.QUITTANCE_MAIL_ACCOUNT_LIMIT,
  };
}

/** @throws ConfigError where only a part of it is set, or the key cannot be read */
export function mailConfig(variables: MailVariables): MailConfig | null {
  const {
    QUITTANCE_SMTP_URL: url,
    QUITTANCE_MAIL_FROM: from,
    QUITTANCE_DKIM_SELECTOR: keySelector,
    QUITTANCE_DKIM_KEY_FILE: file,
  } = variables;
  if (url === undefined || from === undefined) {
    if (url === undefined && from === undefined && !keySelector && !file) return null;
    throw new ConfigError('QUITTANCE_SMTP_URL and QUITTANCE_MAIL_FROM: set both, or neither.');
  }
  if ((keySelector === undefined) !== (file === undefined)) {
    throw new ConfigError(
      'QUITTANCE_DKIM_SELECTOR and QUITTANCE_DKIM_KEY_FILE: set both, or neither.',
    );
  }
  if (keySelector === undefined || file === undefined) return { url, from, dkim: null };
  const domainName = from.slice(from.lastIndexOf('@') + 1);
  return { url, from, dkim: { domainName, keySelector, privateKey: keyIn(file) } };
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `QUITTANCE_DKIM_KEY_FILE: ${file} cannot be read: ${(error as Error).message}`,
    );
  }
}
