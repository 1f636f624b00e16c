/** The task of the load generator. */
export interface LoadJob {
  kind: 'payments' | 'webhooks' | 'reads';
  port: number;
  connections: number;
  seconds: number;
  /** Paths to choose from at random; a webhook has one. */
  paths: string[];
  /** Header lines sent with each request. */
  headers: Record<string, string>;
  /** Makes keys and ids of this job unlike those of any other. */
  prefix: string;
  /** Payments: of each path in turn, once; random ones of small amounts if absent. */
  inFullMinor?: number;
  /** Webhooks: signs the body. */
  secret: string;
  /** Webhooks: one link for each call; the job ends early when they run out, as when paths do. */
  links: string[];
  /** Anything but this status, with this in the body, is a failure. */
  expect: { status: number; body: string };
}

export interface LoadResult {
  /** Answers within the time, and that time. */
  completed: number;
  seconds: number;
  /** All expected answers, those after the time included; what the database must agree with. */
  accepted: number;
  /** Sum of the amounts that were accepted, in minor units. */
  amountMinor: number;
  p50Ms: number;
  p99Ms: number;
  /** Unexpected answers: status and beginning of the body, with their number. */
  failures: Record<string, number>;
}
