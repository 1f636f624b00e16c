import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ClocksModule } from '../clocks/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { PaymentsModule } from '../payments/index.js';
import { ClientSchedules } from './application/client-schedules.service.js';
import { DuePeriods } from './application/due-periods.js';
import { HeldSchedules } from './application/held-schedules.js';
import { PeriodDrafting } from './application/period-drafting.js';
import { PeriodMaking } from './application/period-making.js';
import { PeriodSteps } from './application/period-steps.service.js';
import { ReviewedDrafts } from './application/reviewed-drafts.js';
import { ScheduleFigures } from './application/schedule-figures.js';
import { SchedulePeriods } from './application/schedule-periods.js';
import { SchedulePlans } from './application/schedule-plans.js';
import { SchedulePreview } from './application/schedule-preview.service.js';
import { ScheduleRounds } from './application/schedule-rounds.js';
import { Schedules } from './application/schedules.service.js';
import { ScheduleUsage } from './application/schedule-usage.service.js';
import { ScheduleCalendar } from './domain/schedule-calendar.js';
import { SchedulePeriodsController } from './http/schedule-periods.controller.js';
import { SchedulesController } from './http/schedules.controller.js';
import { ScheduleStepsController } from './http/schedule-steps.controller.js';
import { DueSchedulesQuery } from './infrastructure/due-schedules.query.js';
import { HolidayCalendar } from './infrastructure/holiday-calendar.js';
import { ErasedSchedulesRepository } from './infrastructure/erased-schedules.repository.js';
import { ScheduleRepository } from './infrastructure/schedule.repository.js';
import { ScheduleUsageRepository } from './infrastructure/schedule-usage.repository.js';
import { SchedulesQuery } from './infrastructure/schedules.query.js';
import { SCHEDULE_EVENTS } from './wire/schedule-events.js';

@Module({
  imports: [AuthModule, ClocksModule, EventsModule, DocumentsModule, PaymentsModule],
  controllers: [SchedulePeriodsController, SchedulesController, ScheduleStepsController],
  providers: [
    Schedules,
    SchedulePlans,
    SchedulePeriods,
    SchedulePreview,
    ClientSchedules,
    ScheduleUsage,
    ScheduleRounds,
    ScheduleFigures,
    HeldSchedules,
    DuePeriods,
    ReviewedDrafts,
    PeriodDrafting,
    PeriodMaking,
    PeriodSteps,
    ScheduleRepository,
    ErasedSchedulesRepository,
    ScheduleUsageRepository,
    SchedulesQuery,
    DueSchedulesQuery,
    { provide: ScheduleCalendar, useClass: HolidayCalendar },
  ],
  exports: [
    ClientSchedules,
    ErasedSchedulesRepository,
    HeldSchedules,
    ScheduleRounds,
    SchedulesQuery,
  ],
})
export class SchedulesModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys(SCHEDULE_EVENTS));
  }
}
