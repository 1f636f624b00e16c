/**
 * `test`: made for trying. The sandbox and the page of mails serve no other; it never changes
 * (decision 214).
 */
export const ACCOUNT_MODES = ['live', 'test'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];
