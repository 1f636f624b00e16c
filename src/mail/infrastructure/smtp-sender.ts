import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import { mailboxOf } from '../../kernel/mailbox.js';
import type { MailConfig } from '../../platform/config/mail-config.js';
import { type Mail, MailRefused, MailSender } from '../domain/mail-sender.js';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const AT_ONCE = 4;

const load = createRequire(import.meta.url);

/** Sends through the operator's mail server. */
export class SmtpSender extends MailSender {
  readonly isConfigured = true;

  async isFor(): Promise<boolean> {
    return true;
  }

  private readonly transport: Nodemailer.Transporter;

  constructor(private readonly config: MailConfig) {
    super();
    this.transport = smtpTransport(config);
  }

  async send(mail: Mail): Promise<void> {
    const message = messageOf(mail, this.config.from);
    try {
      await this.transport.sendMail(message);
    } catch (error) {
      throw isForGood(error) ? new MailRefused((error as Error).message) : error;
    }
  }

  close(): void {
    this.transport.close();
  }
}

/** Connections to the mail server of the configuration, and its signature. */
export function smtpTransport({ url, dkim }: MailConfig): Nodemailer.Transporter {
  const { protocol, hostname, port, username, password } = new URL(url);
  // Loaded where mail is sent at all: 40 files.
  const { createTransport } = load('nodemailer') as typeof Nodemailer;
  const secure = protocol === 'smtps:';
  return createTransport({
    pool: true,
    maxConnections: AT_ONCE,
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password never goes out in the clear, unless it stays on this machine.
    requireTLS: !secure && username !== '' && !isLocal(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    ...(dkim && { dkim }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
}

function isLocal(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * Addresses are objects: text would be read as a list of them.
 * @throws MailRefused where one is none, as some that were stored before are
 */
function messageOf(mail: Mail, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const replyTo = mail.replyTo === null ? null : mailboxOf(mail.replyTo);
  const list = mail.refuseUrl && {
    'List-Unsubscribe': `<${mail.refuseUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return {
    messageId: `<${mail.id}@${domain}>`,
    date: mail.at,
    from: { name: mail.fromName, address: from },
    ...(replyTo && { replyTo: { name: '', address: replyTo.address } }),
    to: mail.to.map((address) => ({ name: '', address: addressIn(address) })),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // A logo in the page becomes a part of the message: programs do not show data URIs.
    attachDataUrls: true,
    attachments: mail.attachments.map(({ name, type, content }) => ({
      filename: name,
      content,
      contentType: type,
    })),
    headers: { 'Auto-Submitted': 'auto-generated', ...list },
  };
}

function addressIn(text: string): string {
  const mailbox = mailboxOf(text);
  if (!mailbox) throw new MailRefused(`${text} is no e-mail address`);
  return mailbox.address;
}

/** RFC 5321 4.2.1: 5yz is for good. */
function isForGood(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500 && responseCode < 600;
}
