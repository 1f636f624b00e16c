import fc from 'fast-check';
import { type Books, CURRENCIES } from '../books.js';
import type { Call } from '../judge.js';
import { FOREIGN } from '../picks.js';
import type { World } from '../world.js';

/** A kind of step. `operations.ts` lists all of them; each stands in one file with its model. */
export interface Operation<Fields extends object = object> {
  name: string;
  /** How often it is wished, beside the others. */
  weight: number;
  /**
   * Its wish, in numbers that mean something only once the books are known: the `pick` 5 of three
   * is the third one. So a sequence stays meaningful when steps are left out.
   */
  fields: fc.Arbitrary<Fields>;
  call(world: World, books: Books, wish: Fields): Call | Promise<Call>;
  /** Something that must be there first. */
  needs(wish: Fields): Need | undefined;
  transactions(wish: Fields): number;
  /** With a key it may be sent several times at once, and its effect is one. */
  hasKey(wish: Fields): boolean;
}

/** If there are none, the step is another one: the one that makes the first. */
export interface Need {
  of(world: World, books: Books): readonly unknown[];
  first: Wish;
}

/** An operation with the fields that a step gives it. */
export interface Wish {
  operation: Operation;
  fields: object;
}

type Arbitraries<Fields> = { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> };

/** The fields of a wish, by the record of their arbitraries. */
export type FieldsOf<Wished> = { [Key in keyof Wished]: ArbitraryValue<Wished[Key]> };
type ArbitraryValue<Wished> = Wished extends fc.Arbitrary<infer Value> ? Value : never;

interface Traits<Fields extends object> {
  weight: number;
  fields: Arbitraries<Fields>;
  call: (world: World, books: Books, wish: Fields) => Call | Promise<Call>;
  needs?: Need | ((wish: Fields) => Need | undefined);
  /** More than one, where other calls may come in between. */
  transactions?: number | ((wish: Fields) => number);
  hasKey?: boolean | ((wish: Fields) => boolean);
}

/** A key is sent, the whole is one transaction, and nothing need be there before: unless said. */
export function operation<Fields extends object>(
  name: string,
  { weight, fields, call, needs, transactions = 1, hasKey = true }: Traits<Fields>,
): Operation<Fields> {
  return {
    name,
    weight,
    fields: fc.record<Fields>(fields),
    call,
    needs: (wish) => (typeof needs === 'function' ? needs(wish) : needs),
    transactions: (wish) =>
      typeof transactions === 'function' ? transactions(wish) : transactions,
    hasKey: (wish) => (typeof hasKey === 'function' ? hasKey(wish) : hasKey),
  };
}

export function wishOf<Fields extends object>(of: Operation<Fields>, fields: Fields): Wish {
  return { operation: of as Operation, fields };
}

export const pick = fc.nat({ max: FOREIGN });
/** In quarters of what there is: below, exactly, above. */
export const quarters = fc.integer({ min: 1, max: 6 });
/** As above; none is all there is. */
export const quartersOrAll = fc.integer({ min: 0, max: 5 });
/** Mostly of one currency, so that documents have to do with each other. */
export const currency = fc.constantFrom(CURRENCIES[0], CURRENCIES[0], ...CURRENCIES);
