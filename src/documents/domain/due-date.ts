import { daysAfter } from '../../kernel/clock.js';
import type { Document } from './document.js';

export const DUE_DATE_EVENTS = [
  'document.due_soon',
  'document.overdue',
  'document.expired',
] as const;
type DueDateEvent = (typeof DUE_DATE_EVENTS)[number];

/** The event of a due date that came; null: none. Then when to look again; null: never. */
interface DueDateStep {
  type: DueDateEvent | null;
  next: Date | null;
}

/**
 * A document that is open, when its next moment has come. Each event is told once, whatever happens to
 * the document in between. If the service was away, the later of two is told alone.
 * @param told those that it had
 */
export function dueDateStep(document: Document, told: ReadonlySet<string>): DueDateStep {
  const { now, state, amountDue, refunded } = document;
  const { kind, lapsesAt } = state;
  if (lapsesAt === null) return { type: null, next: null };
  const step = (type: DueDateEvent, next: Date | null): DueDateStep => ({
    type: told.has(type) ? null : type,
    next,
  });
  if (kind === 'quote') {
    return lapsesAt <= now ? step('document.expired', null) : { type: null, next: lapsesAt };
  }
  // Somebody may say later that what went back is owed again.
  if (amountDue.compare(refunded.undecided) <= 0) return { type: null, next: daysAfter(now, 1) };
  return lapsesAt <= now ? step('document.overdue', null) : step('document.due_soon', lapsesAt);
}
