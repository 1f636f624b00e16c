/** A digit of a text by its place. */
const digit = (text: string, at: number) => Number.parseInt(text.charAt(at), 10);

const sumOf = (parts: readonly number[]) => parts.reduce((total, one) => total + one, 0);

/** Digits but the last one, from the right, each with a weight; the last one is what checks them. */
function weighed(digits: string, weightAt: (at: number) => number): number {
  const rest = digits.length - 1;
  return sumOf(
    Array.from({ length: rest }, (_, at) => digit(digits, rest - 1 - at) * weightAt(at)),
  );
}

/** GS1: modulo 10 with the weights 3 and 1. */
export function isGln(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  const sum = weighed(text, (at) => (at % 2 === 0 ? 3 : 1));
  return (10 - (sum % 10)) % 10 === digit(text, text.length - 1);
}

/** Modulo 11 with the weights 2 to 7. */
export function isNorwegianOrganisation(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = weighed(text, (at) => (at % 6) + 2);
  return (11 - (sum % 11)) % 11 === digit(text, text.length - 1);
}

/** Luhn over nine digits. */
export function isSwedishOrganisation(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  const main = text.slice(0, 9);
  const sums = Array.from(main, (_, at) => {
    const one = digit(main, main.length - 1 - at) * (at % 2 === 0 ? 2 : 1);
    return (one % 10) + (one > 9 ? 1 : 0);
  });
  return (10 - (sumOf(sums) % 10)) % 10 === digit(text, 9);
}

/** Two digits that are 97 less the rest modulo 97. */
export function isBelgianEnterprise(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const main = Number.parseInt(text.slice(0, 8), 10);
  return 97 - (main % 97) === Number.parseInt(text.slice(8), 10);
}

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Modulo 89, the first digit less one. */
export function isAustralianBusiness(text: string): boolean {
  if (!/^\d{11}$/.test(text)) return false;
  const sums = ABN_WEIGHTS.map((weight, at) => (digit(text, at) - (at === 0 ? 1 : 0)) * weight);
  return sumOf(sums) % 89 === 0;
}

/** A Leitweg-ID by its form: coarse address, fine address where there is one, and two check digits. */
export const LEITWEG_FORM = /^\d{2,12}(?:-[\dA-Z]{1,30})?-\d{2}$/i;

/** Letters count from A = 10, and the whole is 1 modulo 97 (ISO/IEC 7064). */
export function isLeitwegId(text: string): boolean {
  if (!LEITWEG_FORM.test(text)) return false;
  const digits = text.replaceAll('-', '').replaceAll(/[a-z]/gi, (one) => `${parseInt(one, 36)}`);
  return BigInt(digits) % 97n === 1n;
}
