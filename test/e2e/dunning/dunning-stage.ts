import type { ParsedMail } from 'mailparser';
import { DunningRounds } from '../../../src/dunning/application/dunning-rounds.js';
import type { DocumentDunningBody } from '../../../src/dunning/wire/document-dunning.js';
import type { ReminderBody, ReminderPage } from '../../../src/dunning/wire/reminder.js';
import type { TestClient } from '../../support/client.js';
import type { ServiceWish } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { type MailStage, mailStage } from '../mail/mail-calls.js';

export const PLAN = '/v1/finance/dunning-plan';

/** A service with a mail server, whose clock stands where a test wants it. */
export interface DunningStage extends MailStage {
  /** At ten in the morning: the round of reminders, and the mail of that moment. */
  at(day: string): Promise<ParsedMail[]>;
  /** The round alone. @returns how many letters and invoices it made */
  round(day?: string): Promise<number>;
}

export async function dunningStage(first: string, wish: ServiceWish = {}): Promise<DunningStage> {
  const stage = await mailStage(wish);
  const { clock, app } = stage.service;
  const go = (day: string) => clock.set(day.includes('T') ? day : `${day}T10:00:00Z`);
  const round = async (day?: string) => {
    if (day) go(day);
    return app.get(DunningRounds).run();
  };
  go(first);
  return {
    ...stage,
    round,
    at: async (day) => {
      await round(day);
      return stage.mails();
    },
  };
}

export const plan = async (client: TestClient, body: object) =>
  good(await client.patch(PLAN, body), 200);

/** Of 1,000.00 without tax, due on a day. */
export async function anInvoiceDue(
  client: TestClient,
  dueDate: string,
  over: Record<string, unknown> = {},
) {
  return client.anInvoice({
    due_date: dueDate,
    payment_terms_days: undefined,
    lines: [{ description: 'Work', unit_amount: 100_000, tax_rate: '0', tax_category: 'Z' }],
    ...over,
  } as never);
}

export async function aCustomer(client: TestClient, over: object = {}): Promise<string> {
  const body = {
    name: 'Globex GmbH',
    email: 'accounts@globex.example',
    country: 'DE',
    kind: 'business',
    ...over,
  };
  return good(await client.post<{ id: string }>('/v1/finance/customers', body), 201).id;
}

/** The oldest first. */
export async function remindersOf(client: TestClient, query = ''): Promise<ReminderBody[]> {
  const path = `/v1/finance/reminders?limit=100${query}`;
  return good(await client.get<ReminderPage>(path), 200).data.toReversed();
}

export const dunningOf = async (
  client: TestClient,
  { id }: { id: string },
): Promise<DocumentDunningBody> =>
  good(await client.get<DocumentDunningBody>(`/v1/finance/documents/${id}/dunning`), 200);

export const say = async (
  client: TestClient,
  { id }: { id: string },
  body: object,
): Promise<DocumentDunningBody> =>
  good(await client.patch<DocumentDunningBody>(`/v1/finance/documents/${id}/dunning`, body), 200);
