import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { assertMaySay } from '../../documents/index.js';
import { insufficientScope } from '../../platform/http/access.js';
import type { Caller } from '../../platform/http/request.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';

/** The UUID in a path. @throws DomainError `schedule_not_found` for any other text */
export function scheduleId(text: string): Uuid {
  const uuid = uuidOf('sch', text);
  if (!uuid) throw ScheduleRefusal.schedule_not_found.of();
  return uuid;
}

/** The day in a path. @throws DomainError `schedule_period_not_found` for any other text */
export function periodStart(text: string): IsoDate {
  if (text < '1900' || !isCalendarDate(text)) throw ScheduleRefusal.schedule_period_not_found.of();
  return text;
}

/** A schedule does later what its caller may do now. */
export function assertMaySchedule(
  caller: Caller,
  { action, document }: { action?: string | undefined; document?: { payee?: unknown } | undefined },
): void {
  if (document) assertMaySay(caller, { payee: document.payee });
  if (action === 'collect' && !caller.scopes.includes('payments:write')) {
    throw insufficientScope('payments:write', 'action collect');
  }
}
