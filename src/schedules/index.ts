export { type ClientSchedule, ClientSchedules } from './application/client-schedules.service.js';
export { HeldSchedules } from './application/held-schedules.js';
export { ScheduleRounds } from './application/schedule-rounds.js';
export { ScheduleRefusal } from './domain/schedule-refusals.js';
export { CLIENT_RIGHTS, SCHEDULE_STATUSES } from './domain/schedule.js';
export { SCHEDULE_EVENTS } from './wire/schedule-events.js';
export { ErasedSchedulesRepository } from './infrastructure/erased-schedules.repository.js';
export { SchedulesModule } from './schedules.module.js';
