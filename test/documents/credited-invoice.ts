import { expect } from 'vitest';
import { type Calculation, calculate } from '../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import {
  type CreditLineRequest,
  creditNoteTerms,
  type CreditNoteTerms,
  type CreditRequest,
} from '../../src/documents/domain/credit-note.js';
import { taxGroupKey } from '../../src/documents/domain/calculation/tax-group.js';
import { Locale } from '../../src/documents/domain/printing/formatting.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';

interface CreditNote {
  terms: CreditNoteTerms;
  figures: Calculation;
}

/** An invoice with its credit notes, kept as the database keeps them. */
export class CreditedInvoice {
  readonly calculation: Calculation;
  readonly notes: CreditNote[] = [];

  constructor(
    request: CalculationRequest,
    private readonly language: string | null = null,
  ) {
    this.calculation = calculate(request);
  }

  get creditable(): bigint {
    const taken = this.notes.map(({ figures }) => figures.total.minor);
    return this.calculation.total.minor - sum(taken);
  }

  /** With tax. */
  leftOfLine(position: number): bigint {
    return this.grossOf(position) - (this.takenOfLines().get(position) ?? 0n);
  }

  /** By `taxGroupKey`, with tax. */
  leftOfGroups(): Map<string, bigint> {
    const left = [...this.taxesLeft()].map(([key, { base, tax }]) => [key, base + tax] as const);
    return new Map(left);
  }

  /** By `taxGroupKey`. */
  taxesLeft(): Map<string, { base: bigint; tax: bigint }> {
    const taken = this.takenOfGroups();
    return new Map(
      this.calculation.taxGroups.map((group) => {
        const { base, tax } = taken.get(taxGroupKey(group)) ?? { base: 0n, tax: 0n };
        const left = { base: group.base.minor - base, tax: group.tax.minor - tax };
        return [taxGroupKey(group), left];
      }),
    );
  }

  /**
   * The amount that a clerk would write: all that is left, or that part of the price, a half
   * rounded up.
   */
  worthOf({ position, quantity, amountMinor }: CreditLineRequest): bigint {
    if (amountMinor !== undefined) return amountMinor;
    if (quantity === undefined) return this.leftOfLine(position);
    const whole = millionths(this.calculation.lines[position - 1]?.quantity ?? '');
    if (whole === 0n) return 0n;
    const before = sum(this.quantitiesOf(position));
    // Of a line below zero, gross, quantity and part are all below zero.
    const [size, sign] = whole < 0n ? [-whole, -1n] : [whole, 1n];
    const worth = (part: bigint) => {
      const exact = sign * this.grossOf(position) * sign * part;
      return sign * (exact / size + ((exact % size) * 2n >= size ? 1n : 0n));
    };
    return worth(before + millionths(quantity)) - worth(before);
  }

  /** More of a line's quantity than there is, with what was credited by quantity before. */
  isTooMuch({ position, quantity }: CreditLineRequest): boolean {
    if (quantity === undefined) return false;
    const whole = millionths(this.calculation.lines[position - 1]?.quantity ?? '');
    const all = sum(this.quantitiesOf(position)) + millionths(quantity);
    return whole < 0n ? all < whole : all > whole;
  }

  /** So many thousandths of a line's quantity. */
  quantityOf(position: number, thousandths: bigint): string {
    const whole = millionths(this.calculation.lines[position - 1]?.quantity ?? '');
    const part = (whole * thousandths) / 1000n;
    const digits = `${part < 0n ? -part : part}`.padStart(7, '0');
    return `${part < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  credit(request: Partial<CreditRequest>): CreditNote {
    const { currency } = this.calculation.total;
    const terms = creditNoteTerms(
      { lines: null, amountMinor: null, ...request },
      {
        number: 'INV-1',
        locale: Locale.of(this.language),
        calculation: this.calculation,
        byLine: this.takenOfLines(),
        byQuantity: this.takenQuantities(),
        byGroup: this.takenOfGroups(),
        creditable: Money.of(this.creditable, currency),
      },
    );
    const figures = calculate({
      currency,
      pricesIncludeTax: true,
      lines: terms.lines,
      discounts: [],
      charges: [],
      cashRounding: null,
      roundingMinor: terms.roundingMinor,
      taxes: terms.taxes,
    });
    const note = { terms, figures };
    this.notes.push(note);
    return note;
  }

  private grossOf(position: number): bigint {
    return this.calculation.lines[position - 1]?.gross.minor ?? 0n;
  }

  private takenOfLines(): Map<number, bigint> {
    const taken = new Map<number, bigint>();
    for (const { position, minor } of this.notes.flatMap(({ terms }) => terms.credited)) {
      taken.set(position, (taken.get(position) ?? 0n) + minor);
    }
    return taken;
  }

  /** Millionths that were credited by quantity. */
  quantitiesOf(position: number): bigint[] {
    const parts = this.notes.flatMap(({ terms }) => terms.credited);
    return parts
      .filter((part) => part.position === position && part.quantity !== null)
      .map((part) => millionths(part.quantity ?? ''));
  }

  private takenQuantities(): Map<number, Decimal> {
    return new Map(
      this.calculation.lines.map(({ position }) => [
        position,
        Decimal.of(sum(this.quantitiesOf(position)), 6),
      ]),
    );
  }

  private takenOfGroups(): Map<string, { base: bigint; tax: bigint }> {
    const taken = new Map<string, { base: bigint; tax: bigint }>();
    for (const group of this.notes.flatMap(({ figures }) => figures.taxGroups)) {
      const { base, tax } = taken.get(taxGroupKey(group)) ?? { base: 0n, tax: 0n };
      const sums = { base: base + group.base.minor, tax: tax + group.tax.minor };
      taken.set(taxGroupKey(group), sums);
    }
    return taken;
  }
}

/** Code and fields of a refusal. */
export function refusalOf(invoice: CreditedInvoice, request: Partial<CreditRequest>): string[] {
  const before = invoice.notes.length;
  try {
    invoice.credit(request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(invoice.notes).toHaveLength(before);
    expect(error.kind).toBe('invalid');
    return [error.code, ...error.errors.map(({ pointer, code }) => `${pointer} ${code}`)];
  }
  return ['accepted'];
}

export function sum(parts: Iterable<bigint>): bigint {
  return [...parts].reduce((total, part) => total + part, 0n);
}

function millionths(quantity: string): bigint {
  const [whole = '', decimals = ''] = quantity.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
}
