import type { Config } from '../../platform/config/config.js';
import { MailSender, showsMail } from '../domain/mail-sender.js';
import { SmtpSender } from './smtp-sender.js';

/** Takes every message, and sends none: the page of the demo shows them. */
class DemoSender extends MailSender {
  readonly isConfigured = true;
  async send(): Promise<void> {}
  close(): void {}
}

class NoSender extends MailSender {
  readonly isConfigured = false;
  async send(): Promise<void> {
    throw new Error('no mail server is configured');
  }
  close(): void {}
}

/** The way out that the operator has configured. A demo keeps its messages to itself. */
export function mailSenderOf({ mail, demo }: Config): MailSender {
  if (mail) return new SmtpSender(mail);
  return showsMail({ mail, demo }) ? new DemoSender() : new NoSender();
}
