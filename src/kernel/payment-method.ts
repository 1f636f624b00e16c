/** How money came in. */
export const PAYMENT_METHODS = [
  'bank_transfer',
  'card',
  'cash',
  'check',
  'direct_debit',
  'wallet',
  'crypto',
  'credit_balance',
  'other',
] as const;

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Credit is spent without any money. */
export const MONEY_METHODS = PAYMENT_METHODS.filter((method) => method !== 'credit_balance');
export type MoneyMethod = (typeof MONEY_METHODS)[number];

/** Forgives case, `-` and spaces: `Bank transfer` is `bank_transfer`. Undefined for no method. */
export function parsePaymentMethod(text: string): PaymentMethod | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '_');
  return PAYMENT_METHODS.find((method) => method === name);
}
