/** An endpoint of webhooks that ended by itself, as its seller is told of it. */
export interface DisabledEndpoint {
  /** `whep_...` */
  endpoint: string;
  address: string;
  /** `gone`: it said so; `failing`: for days it did nothing else. */
  reason: 'gone' | 'failing';
  /** ISO 8601. Null: it failed for the first time. */
  failingSince: string | null;
  /** Events that wait for it, or were given up. */
  undelivered: number;
}

/** The place alone: credentials and queries are secrets, and mail is read by many. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
