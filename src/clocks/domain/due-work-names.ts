/** Work of jobs that has its day, in the order in which one moment has it. */
export const DUE_WORK = [
  'schedules',
  'due_dates',
  'reminders',
  'quotes',
  'statements',
  'debits',
  'dunning',
] as const;
export type DueWorkName = (typeof DUE_WORK)[number];
