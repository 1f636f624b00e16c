export { DunningRefusal } from './domain/dunning-refusals.js';
export { REMINDER_EVENTS } from './wire/reminder-events.js';
export { ErasedDebtorsRepository } from './infrastructure/erased-debtors.repository.js';
export { DunningModule } from './dunning.module.js';
