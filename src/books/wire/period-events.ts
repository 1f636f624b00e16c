import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { day } from '../../platform/http/validation/answer-fields.js';
import type { BooksPeriod } from '../domain/period.js';
import { PeriodBody, presentBooksPeriod } from './period.js';

const step = z
  .object({
    period: z
      .object(PeriodBody.shape)
      .meta({ id: 'Period', description: 'As `GET /v1/finance/periods` showed the month.' }),
    open_from: day.describe('The first day that facts are booked on.'),
  })
  .meta({ id: 'PeriodStep' });

/** The events about the months of the books. */
export const PERIOD_EVENTS = {
  'period.closed': {
    when: 'A month was closed, and those before it.',
    data: step,
    example: {
      period: { status: 'closed', closed_at: '2026-11-27T09:30:00.000Z' },
      open_from: '2026-11-01',
    },
  },
  'period.reopened': {
    when: 'A month is open again, and those after it.',
    data: step,
    example: { open_from: '2026-10-01' },
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof PERIOD_EVENTS> {}
}

export const periodStep = (period: BooksPeriod, openFrom: string) => ({
  period: presentBooksPeriod(period),
  open_from: openFrom,
});
