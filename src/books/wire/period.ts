import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PageEnds } from '../../platform/http/paging.js';
import { type BooksPeriod, PERIOD_STATUSES } from '../domain/period.js';

nameWords({ PeriodStatus: PERIOD_STATUSES });

export const PeriodBody = answerShape('PeriodBody', {
  month: z.string().meta({ example: '2026-10' }),
  from: z.string().meta({ format: 'date', example: '2026-10-01' }),
  to: z.string().meta({ format: 'date', example: '2026-10-31' }),
  status: z.string().meta({
    enum: PERIOD_STATUSES,
    description: '`closing`: no new fact gets in, but the request to close did not end. Repeat it.',
  }),
  closed_at: z.string().nullable().meta({ format: 'date-time' }),
});
export type PeriodBody = z.output<typeof PeriodBody>;

export const PeriodList = answerShape('PeriodList', {
  ...PageEnds.shape,
  open_from: z
    .string()
    .meta({ format: 'date', description: 'The first day that facts are booked on.' }),
  data: z.array(PeriodBody).describe('Newest first, up to the month of today.'),
});
export type PeriodList = z.output<typeof PeriodList>;

export function presentBooksPeriod({ month, from, to, status, closedAt }: BooksPeriod): PeriodBody {
  return { month, from, to, status, closed_at: closedAt?.toISOString() ?? null };
}
