import type { NewCreditNote } from '../../../../documents/index.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { RefundMeaning, RefundNote } from '../../domain/refunds/refund-meaning.js';

/** Amounts are text: JSON numbers are not exact enough. @json */
interface StoredNote extends Omit<NewCreditNote, 'lines' | 'amountMinor'> {
  lines: { position: number; quantity?: string; amount?: string }[] | null;
  amount: string | null;
}

/** @json */
export interface StoredMeaning {
  step: number;
  meaning: RefundMeaning['name'];
  said_by: RefundMeaning['saidBy'];
  credit_note: StoredNote | null;
  problem: string | null;
  client_id: Uuid | null;
  said_at: string;
}

/** @json */
export interface StoredRefundNote {
  document_id: Uuid;
  credit_note_id: Uuid;
  number: string;
  is_void: boolean;
}

/** Of `refunds r`: what was said of it last, and its credit notes, oldest first. */
export const MEANING_COLUMNS = `
    (SELECT jsonb_build_object('step', m.step, 'meaning', m.meaning, 'said_by', m.said_by,
        'credit_note', m.credit_note, 'problem', m.problem, 'client_id', m.client_id,
        'said_at', m.said_at)
      FROM refund_meanings m WHERE (m.account_id, m.refund_id) = (r.account_id, r.refund_id)
      ORDER BY m.step DESC LIMIT 1) AS meaning,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', n.document_id,
        'credit_note_id', n.credit_note_id, 'number', c.number,
        'is_void', c.lifecycle = 'void') ORDER BY n.credit_note_id), '[]')
      FROM refund_credit_notes n JOIN documents c
        ON (c.account_id, c.document_id) = (n.account_id, n.credit_note_id)
      WHERE (n.account_id, n.refund_id) = (r.account_id, r.refund_id)) AS credit_notes`;

/** Of `refunds r`. */
export const LAST_MEANING = `(SELECT m.meaning FROM refund_meanings m
  WHERE (m.account_id, m.refund_id) = (r.account_id, r.refund_id) ORDER BY m.step DESC LIMIT 1)`;

/** The parts of which nobody has said what they mean, as `undecidedPart` has it. */
export const UNDECIDED_PARTS = `SELECT p.account_id, p.refund_id, p.document_id, p.amount
  FROM refund_parts p JOIN refund_meanings m USING (account_id, refund_id)
  WHERE (m.said_by = 'default' OR m.problem IS NOT NULL)
    AND NOT EXISTS (SELECT FROM refund_meanings later
      WHERE (later.account_id, later.refund_id) = (m.account_id, m.refund_id) AND later.step > m.step)
    AND NOT EXISTS (SELECT FROM refund_credit_notes n
      WHERE (n.account_id, n.refund_id, n.document_id) = (p.account_id, p.refund_id, p.document_id))`;

export function storedNote({ lines, amountMinor, ...note }: NewCreditNote): string {
  const stored: StoredNote = {
    ...note,
    lines:
      lines &&
      lines.map(({ position, quantity, amountMinor: minor }) => ({
        position,
        ...(quantity !== undefined && { quantity }),
        ...(minor !== undefined && { amount: `${minor}` }),
      })),
    amount: amountMinor === null ? null : `${amountMinor}`,
  };
  return JSON.stringify(stored);
}

export function toMeaning(row: StoredMeaning | null): RefundMeaning | null {
  if (!row) return null;
  return {
    step: row.step,
    name: row.meaning,
    saidBy: row.said_by,
    note: row.credit_note && toNote(row.credit_note),
    problem: row.problem,
    clientId: row.client_id,
    at: new Date(row.said_at),
  };
}

export function toRefundNote(row: StoredRefundNote): RefundNote {
  const { document_id: documentId, credit_note_id: creditNoteId, number, is_void: isVoid } = row;
  return { documentId, creditNoteId, number, isVoid };
}

function toNote({ lines, amount, ...note }: StoredNote): NewCreditNote {
  return {
    ...note,
    lines:
      lines &&
      lines.map(({ position, quantity, amount: minor }) => ({
        position,
        ...(quantity !== undefined && { quantity }),
        ...(minor !== undefined && { amountMinor: BigInt(minor) }),
      })),
    amountMinor: amount === null ? null : BigInt(amount),
  };
}
