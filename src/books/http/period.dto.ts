import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';
import { type BooksPeriod, PERIOD_STATUSES } from '../domain/period.js';

export class PeriodBody {
  @ApiProperty({ example: '2026-10' }) month!: string;
  @ApiProperty({ format: 'date', example: '2026-10-01' }) from!: string;
  @ApiProperty({ format: 'date', example: '2026-10-31' }) to!: string;
  @ApiProperty({
    enum: PERIOD_STATUSES,
    description: '`closing`: no new fact gets in, but the request to close did not end. Repeat it.',
  })
  status!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) closed_at!: string | null;
}

export class PeriodList extends PageEnds {
  @ApiProperty({ format: 'date', description: 'The first day that facts are booked on.' })
  open_from!: string;
  @ApiProperty({ type: [PeriodBody], description: 'Newest first, up to the month of today.' })
  data!: PeriodBody[];
}

export function presentBooksPeriod({ month, from, to, status, closedAt }: BooksPeriod): PeriodBody {
  return { month, from, to, status, closed_at: closedAt?.toISOString() ?? null };
}
