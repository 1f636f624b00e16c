/** `suspended`: it may come back; the last three are over for good, or until the provider says else. */
export const MANDATE_STATUSES = [
  ...(['pending', 'active', 'suspended'] as const),
  ...(['failed', 'canceled', 'expired'] as const),
] as const;
export type MandateStatus = (typeof MANDATE_STATUSES)[number];
