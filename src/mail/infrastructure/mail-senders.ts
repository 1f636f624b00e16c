import type { Accounts } from '../../auth/index.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Config } from '../../platform/config/config.js';
import { MailSender, showsMail } from '../domain/mail-sender.js';
import { SmtpSender } from './smtp-sender.js';

/** Takes the messages of accounts made for trying, and sends none: the page of the demo shows them. */
class DemoSender extends MailSender {
  readonly isConfigured = true;

  constructor(private readonly accounts: Accounts) {
    super();
  }

  async isFor(accountId: Uuid): Promise<boolean> {
    return (await this.accounts.find(accountId)).mode === 'test';
  }

  async send(): Promise<void> {}
  close(): void {}
}

class NoSender extends MailSender {
  readonly isConfigured = false;

  async isFor(): Promise<boolean> {
    return false;
  }

  async send(): Promise<void> {
    throw new Error('no mail server is configured');
  }
  close(): void {}
}

/** The way out that the operator has configured. A demo keeps its messages to itself. */
export function mailSenderOf({ mail, demo }: Config, accounts: Accounts): MailSender {
  if (mail) return new SmtpSender(mail);
  return showsMail({ mail, demo }) ? new DemoSender(accounts) : new NoSender();
}
