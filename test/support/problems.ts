import { statusOfRefusal } from '../../src/platform/http/problem.js';
import { REFUSALS } from '../../src/refusals.js';

/** Status and example of each code. */
export const PROBLEMS: Readonly<Record<string, readonly [status: number, example: string]>> =
  Object.fromEntries(REFUSALS.all.map((one) => [one.code, [statusOfRefusal(one), one.example]]));
