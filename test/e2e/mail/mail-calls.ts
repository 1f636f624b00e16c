import type { ParsedMail } from 'mailparser';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import type { MessageBody, MessageList } from '../../../src/mail/wire/message.js';
import type { TestClient } from '../../support/client.js';
import { untilAllHaveEnded } from '../../support/books.js';
import { MailCatcher } from '../../support/mail-catcher.js';
import { type ServiceWish, startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';

export const FROM = 'billing@quittance.example';

export interface MailStage {
  service: TestService;
  catcher: MailCatcher;
  /** One round of the worker. */
  run(): Promise<void>;
  /** The same, and what the mail server got since the last look. */
  mails(): Promise<ParsedMail[]>;
  close(): Promise<void>;
}

/** The service with a mail server, whose worker runs when the test says so. */
export async function mailStage(wish: ServiceWish = {}): Promise<MailStage> {
  const catcher = await MailCatcher.start();
  const mail = { url: catcher.url, from: FROM, dkim: null };
  const service = await startTestService({ mail, ...wish });
  const run = async () => {
    await untilAllHaveEnded(service);
    await service.app.get(MailWorker).run();
  };
  return {
    service,
    catcher,
    run,
    mails: async () => {
      await run();
      return catcher.taken();
    },
    close: async () => {
      await service.close();
      await catcher.stop();
    },
  };
}

/** The next round looks for days that have come, however short ago one has. */
export async function looksAnew({ service }: MailStage): Promise<void> {
  await service.database.query(`UPDATE mail_progress SET reminded_at = '2000-01-01'`);
}

export async function send(client: TestClient, { id }: { id: string }, body: object = {}) {
  return good(await client.post<MessageBody>(`/v1/finance/documents/${id}/send`, body), 201);
}

export async function messageOf(client: TestClient, { id }: { id: string }): Promise<MessageBody> {
  return good(await client.get<MessageBody>(`/v1/finance/messages/${id}`), 200);
}

export async function messagesOf(client: TestClient, { id }: { id: string }) {
  const path = `/v1/finance/messages?document_id=${id}`;
  return good(await client.get<MessageList>(path), 200).data;
}

export async function wish(client: TestClient, settings: object): Promise<void> {
  good(await client.patch('/v1/finance/mail-settings', settings), 200);
}

/** The link of the button, as a path of the service. */
export function linkIn({ text }: ParsedMail, ending = ''): string {
  const found = new RegExp(`http://\\S+(/v1/portal/[\\w-]{43}${ending})\\s`).exec(text ?? '');
  if (!found?.[1]) throw new Error(`no link in: ${text}`);
  return found[1];
}
