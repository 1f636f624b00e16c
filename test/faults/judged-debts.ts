import type pg from 'pg';
import { publicId } from '../../src/kernel/ids.js';
import {
  type ChargeRow,
  type DunnedInvoice,
  type LetterRow,
  wrongLetters,
} from '../dunning/judged-letters.js';
import type { MailCatcher } from '../support/mail-catcher.js';
import type { DunnedDebts } from './dunned-debts.js';
import { patientRows } from './patience.js';

const INVOICES = `SELECT d.document_id AS id, d.account_id AS "accountId",
    d.customer_id AS "customerId", c.kind, d.due_date::text AS due, d.total::int AS total,
    coalesce((SELECT sum(amount) FROM dunning_charges b
      WHERE (b.account_id, b.billed_by) = (d.account_id, d.document_id)), 0)::int AS charges,
    d.created_at AS "createdAt", d.issued_at AS "issuedAt"
  FROM documents d JOIN customers c USING (account_id, customer_id)
  WHERE d.account_id = ANY ($1) AND d.issued_at IS NOT NULL ORDER BY d.document_id`;

const LETTERS = `SELECT r.reminder_id AS id, d.document_id AS "documentId",
    r.account_id AS "accountId", r.customer_id AS "customerId", r.status, r.reason,
    r.made_on::text AS day, r.step_days AS "stepDays", d.level, d.asked::int AS asked,
    r.settled_at AS "settledAt"
  FROM reminders r JOIN reminder_documents d USING (account_id, reminder_id)
  WHERE r.account_id = ANY ($1)`;

const CHARGES = `SELECT charge_id AS id, reminder_id AS "reminderId", document_id AS "documentId",
    kind, amount::int AS amount, status, billed_by AS "billedBy"
  FROM dunning_charges WHERE account_id = ANY ($1)`;

const MESSAGES = `SELECT message_id AS id, fact, status FROM mail_messages WHERE kind = 'dunning'`;

/** Neither of the run, nor of a schedule, nor a bill of charges. */
const STRAYS = `SELECT count(*)::int AS count FROM documents d
  WHERE NOT EXISTS (SELECT FROM schedule_periods p
      WHERE (p.account_id, p.document_id) = (d.account_id, d.document_id))
    AND NOT EXISTS (SELECT FROM dunning_charges c
      WHERE (c.account_id, c.billed_by) = (d.account_id, d.document_id))
    AND d.document_id <> ALL ($1)`;

/** How reminders ended. */
export interface JudgedDebts {
  differences: string[];
  /** Documents that nobody asked for. */
  strays: number;
  told: string[];
}

/** @param kills of processes and the database; each may have four messages whose end it hides */
export async function judgedDebts(
  pool: pg.Pool,
  debts: DunnedDebts,
  mails: MailCatcher['mails'],
  instants: readonly Date[],
  kills: number,
): Promise<JudgedDebts> {
  const { accounts, lived, amounts } = debts;
  const rows = async <Row extends object>(text: string) =>
    patientRows<Row>(pool, text, [[...accounts.keys()]]);
  const invoices = await rows<DunnedInvoice>(INVOICES);
  const letters = await rows<LetterRow>(LETTERS);
  const charges = await rows<ChargeRow>(CHARGES);
  const found = wrongLetters({ accounts, invoices, letters, charges, lived, instants });
  for (const { id, total, charges: billed } of invoices) {
    const amount = amounts.get(id);
    if (amount !== undefined && amount + billed !== total)
      found.push(`${id} asks for ${total}, not ${amount} and ${billed}`);
  }
  const messages = await patientRows<{ id: string; fact: string; status: string }>(pool, MESSAGES);
  const left = new Map<string, number>();
  for (const { messageId = '' } of mails) {
    const id = messageId.replace(/[<>]|@.*/g, '');
    left.set(id, (left.get(id) ?? 0) + 1);
  }
  let repeated = 0;
  for (const { id, fact, status } of messages) {
    const count = left.get(publicId('msg', id)) ?? 0;
    left.delete(publicId('msg', id));
    repeated += Math.max(0, count - 1);
    if (status === 'sent' ? count === 0 : status !== 'canceled' || count > 0)
      found.push(`the message of ${fact} is ${status}, and left ${count} times`);
  }
  for (const id of left.keys()) found.push(`${id} left, and nobody knows it`);
  if (repeated > kills * 4) found.push(`${repeated} mails left again in ${kills} kills`);
  const [stray] = await patientRows<{ count: number }>(pool, STRAYS, [[...amounts.keys()]]);
  const byStatus = (status: string) =>
    new Set(letters.filter((one) => one.status === status).map(({ id }) => id)).size;
  const happened = [...lived.values()].flat();
  return {
    differences: found,
    strays: stray!.count,
    told: [
      `${invoices.length} invoices with reminders: ${byStatus('sent')} letters sent, ` +
        `${byStatus('canceled')} overtaken, ${charges.length} charges`,
      `${happened.length} payments, promises and pauses, ` +
        `${happened.filter(({ isHurried }) => isHurried).length} of them during rounds`,
      `mails that left again under their Message-ID, by a kill: ${repeated}`,
    ],
  };
}
