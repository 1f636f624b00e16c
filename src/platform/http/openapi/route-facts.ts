import type { Type } from '@nestjs/common';
import type { ProblemCode } from '../problem-catalog.js';

/** The extension by which a route tells of itself; the document that is sent has none of it. */
export const ROUTE = 'x-route';

/** The rest of a route's description, which Nest has no word for. */
export interface RouteFacts {
  /** Its own refusals, to which those of every route and of its fields are added. */
  codes: readonly ProblemCode[];
  /** The classes of its body. */
  bodies: readonly Type<object>[];
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
