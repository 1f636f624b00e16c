import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';

/** Before all ids. */
export const NO_EVENT: Uuid = '00000000-0000-0000-0000-000000000000';

/**
 * A place in the order in which events were committed: behind an event, or, with `NO_EVENT`, before
 * all of a transaction. All events before it were there when it was given out.
 */
export interface FeedPosition {
  /** Tells the history that it is of: a restored database has another one. */
  history: string;
  xact: bigint;
  event: Uuid;
}

/** As a reader keeps it. It stands for no filter, so filters may change behind it. */
export function positionText({ history, xact, event }: FeedPosition): string {
  return `${history}.${xact}.${publicId('evt', event)}`;
}

const POSITION = /^([0-9a-f]{12})\.(\d{1,18})\.(evt_[0-9a-z]{26})$/;

/** @returns undefined for a text that is none of ours */
export function positionIn(text: string): FeedPosition | undefined {
  const [, history, xact, id] = POSITION.exec(text) ?? [];
  const event = id === undefined ? undefined : uuidOf('evt', id);
  if (history === undefined || xact === undefined || event === undefined) return undefined;
  return { history, xact: BigInt(xact), event };
}
