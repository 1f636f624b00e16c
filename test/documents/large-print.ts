import { Locale } from '../../src/documents/domain/printing/formatting.js';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { Money } from '../../src/kernel/money.js';

const COUNT = 3000;

/** Each has an amount of its own, and some have a second row of text. */
export const LINES = Array.from({ length: COUNT }, (_, at) => ({
  description: `Anschluss ${at}.${at % 4 === 0 ? '\nDaten und Gespräche' : ''}`,
  quantity: '2',
  unit_amount: 101 + ((at * 37) % 4999),
  tax_rate: at % 3 === 0 ? '7' : '19',
}));

/** The sums of an issued invoice, those of its first lines, too. */
export function bookedWhole({ lines, net_total: netTotal, total }: DocumentBody) {
  let sum = 0;
  const sums = lines.map(({ net_amount: net }) => (sum += net));
  return { netTotal, total, upTo: (last: number) => sums[last] ?? 0 };
}

export function majorIn(language: string, minor: number): string {
  return Locale.of(language).money(Money.of(BigInt(minor), 'EUR'));
}
