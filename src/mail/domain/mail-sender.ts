import type { Uuid } from '../../kernel/ids.js';
import type { LetterFile } from './letter.js';
import { MailRefusal } from './refusals.js';

/** A message as it leaves. */
export interface Mail {
  /** Of the message: the same each time it is sent, so that a mailbox has it once. */
  id: string;
  at: Date;
  /** The name that readers see; the address is that of the installation. */
  fromName: string;
  replyTo: string | null;
  to: readonly string[];
  subject: string;
  html: string;
  text: string;
  attachments: readonly LetterFile[];
  /** The place at which its reader refuses more of the kind. */
  refuseUrl: string | null;
}

/** A mail server that will never take a message: trying again is no use. */
export class MailRefused extends Error {}

/** Whether messages of tests are shown instead of sent: a demo without a mail server keeps them to itself. */
export function showsMail({ mail, demo }: { mail: object | null; demo: boolean }): boolean {
  return mail === null && demo;
}

/** The way out for messages. Abstract class: port and injection token at once. */
export abstract class MailSender {
  /** False: nothing is configured, and nothing can be sent. */
  abstract readonly isConfigured: boolean;

  /** Whether messages of the account go this way. */
  abstract isFor(accountId: Uuid): Promise<boolean>;

  /** @throws MailRefused for good; any other error may pass */
  abstract send(mail: Mail): Promise<void>;

  async assertConfigured(accountId: Uuid): Promise<void> {
    if (await this.isFor(accountId)) return;
    throw MailRefusal.mail_not_configured.of(
      'This installation sends no mail; the operator sets QUITTANCE_SMTP_URL and QUITTANCE_MAIL_FROM.',
    );
  }

  /** Ends connections that wait for more. */
  abstract close(): void;
}
