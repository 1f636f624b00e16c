import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** An answer of a mail server that does not take a message. */
export interface SmtpRefusal {
  responseCode: number;
  message: string;
}

/** A mail server of another maker, that keeps what it gets and reads it with another reader. */
export class MailCatcher {
  readonly mails: ParsedMail[] = [];
  readonly raw: string[] = [];
  /** Asked for each message, once all of it is here. */
  refuse: (recipients: string[]) => SmtpRefusal | null = () => null;

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<MailCatcher> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          // oxlint-disable-next-line promise/no-callback-in-promise -- the server wants one
          catcher.take(Buffer.concat(chunks), to).then(() => done(), done);
        });
      },
    });
    // A sender that is killed resets its connections.
    server.on('error', () => undefined);
    const catcher = new MailCatcher(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return catcher;
  }

  get url(): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  /** All since the last look. */
  taken(): ParsedMail[] {
    return this.mails.splice(0);
  }

  private async take(message: Buffer, recipients: string[]): Promise<void> {
    const refusal = this.refuse(recipients);
    if (refusal) throw Object.assign(new Error(refusal.message), refusal);
    this.raw.push(message.toString('latin1'));
    this.mails.push(await simpleParser(message));
  }
}
