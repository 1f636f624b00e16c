export { ClockRefusal } from './domain/clock-refusals.js';
export { ClocksModule } from './clocks.module.js';
export { DueWork } from './application/due-work.js';
