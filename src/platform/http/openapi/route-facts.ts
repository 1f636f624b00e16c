import type { z } from 'zod';
import type { AnyRefusal } from '../problem.js';

/** The extension in which a route describes itself; the published document has none of it. */
export const ROUTE = 'x-route';

/** The rest of a route's description, which Nest has no word for. */
export interface RouteFacts {
  /** Its own refusals, to which those of every route and of its fields are added. */
  refusals: readonly AnyRefusal[];
  /** It may have to wait for somebody who changes the same. */
  stores: boolean;
  /** The shapes of its body. */
  bodies: readonly z.core.$ZodType[];
  /** Shapes of answers that it has beside others. */
  others: readonly z.core.$ZodType[];
  /** A form of our own pages is answered with a page. */
  page: boolean;
  /** A body that works when it is sent unchanged to a fresh demo account. */
  example: unknown;
  /** The scope that a bearer token needs. */
  scope: string | null;
  /** The field of the answer that is its `ETag`, if it has it. */
  tag: string | null;
  /** Its new thing can be read, at its `Location`. */
  isPlaced: boolean;
}

const known: RouteFacts[] = [];

/** Swagger copies what an extension holds, and a shape does not survive that: it holds a place. */
export function keepFacts(facts: RouteFacts): number {
  return known.push(facts) - 1;
}

export const factsAt = (place: number): RouteFacts | undefined => known[place];
