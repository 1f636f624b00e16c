/** The parts of a rule of days, as RFC 5545 writes them. */
const FORMS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  BYDAY: /^[+-]?[1-5]?(MO|TU|WE|TH|FR|SA|SU)(,[+-]?[1-5]?(MO|TU|WE|TH|FR|SA|SU)){0,30}$/,
  BYMONTHDAY: /^-?([1-9]|[12]\d|3[01])(,-?([1-9]|[12]\d|3[01])){0,30}$/,
  BYMONTH: /^([1-9]|1[0-2])(,([1-9]|1[0-2])){0,11}$/,
  BYSETPOS: /^-?[1-9]\d{0,2}(,-?[1-9]\d{0,2}){0,10}$/,
  BYYEARDAY: /^-?[1-9]\d{0,2}(,-?[1-9]\d{0,2}){0,30}$/,
  BYWEEKNO: /^-?([1-9]|[1-4]\d|5[0-3])(,-?([1-9]|[1-4]\d|5[0-3])){0,30}$/,
  WKST: /^(MO|TU|WE|TH|FR|SA|SU)$/,
};

/** Whether it is a rule of days; the end of a schedule is said beside it. */
export function isRule(text: string): boolean {
  const parts = text.split(';').map((part) => part.split('='));
  const names = parts.map(([name = '']) => name);
  return (
    names.includes('FREQ') &&
    new Set(names).size === names.length &&
    parts.every(
      ([name = '', value = '', ...more]) => more.length === 0 && FORMS[name]?.test(value) === true,
    )
  );
}
