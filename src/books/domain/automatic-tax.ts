import { magnitudeOf } from '../../kernel/decimal.js';
/*
 * The tax that an accountant's program takes out of a gross amount by itself, rounded half up line by line. It is
 * ours where tax was computed from its base, and may be a unit off where a part of a document was taken.
 */

const SCALE = 4;

/** Amounts that come to zero, and whose taxes come to what the program computes less of an amount. */
export function taxCorrections(gross: bigint, tax: bigint, rate: string): bigint[] {
  const missing = tax - automaticTax(gross, rate);
  if (missing === 0n || scaled(rate) === 0n) return [];
  const whole = smallestOfTwo(rate);
  const gained = automaticTax(2n * whole, rate) - 2n * automaticTax(whole, rate);
  const sign = gained === missing / magnitudeOf(missing) ? 1n : -1n;
  const once = [2n * whole * sign, -whole * sign, -whole * sign];
  const all: bigint[] = [];
  for (let left = magnitudeOf(missing); left > 0n; left -= 1n) all.push(...once);
  return all;
}

/** Of an amount below zero it is that of its mirror, as the sides are changed there. */
function automaticTax(gross: bigint, rate: string): bigint {
  const percent = scaled(rate);
  const by = 100n * 10n ** BigInt(SCALE) + percent;
  const tax = (2n * magnitudeOf(gross) * percent + by) / (2n * by);
  return gross < 0n ? -tax : tax;
}

/** The smallest amount that is taxed otherwise alone than twice as much is. */
function smallestOfTwo(rate: string): bigint {
  let amount = 1n;
  while (automaticTax(2n * amount, rate) === 2n * automaticTax(amount, rate)) amount += 1n;
  return amount;
}

function scaled(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE));
}
