export const GATEWAY_CHECKS = ['credentials', 'webhook', 'clock'] as const;
export const CHECK_STATUSES = ['ok', 'warning', 'failed', 'unknown'] as const;

/** One thing that a provider was asked about a gateway. `detail` holds nothing secret. */
export interface GatewayCheck {
  check: (typeof GATEWAY_CHECKS)[number];
  /** `unknown`: it did not say. */
  status: (typeof CHECK_STATUSES)[number];
  detail: string;
}
