import { z } from 'zod';
import { PAYMENT_METHODS } from '../kernel/payment-method.js';
import { Gateway } from '../payments/index.js';

const call = z.custom((value) => typeof value === 'function', 'is no function');

/** All that a gateway has to have; the others have a default. */
const Whole = z.object({
  name: z.string().min(1),
  provider: z.string().min(1),
  method: z.enum(PAYMENT_METHODS),
  canRefund: z.boolean(),
  accounts: z.union([z.string(), z.instanceof(Set)]),
  createCheckout: call,
  verify: call,
  parse: call,
  confirm: call,
  refund: call,
  lookUpRefund: call,
  samplePaidDelivery: call,
});

/** Why that which a provider opened is no gateway; null: it is one. Providers from outside were never compiled with us. */
export function lackOf(opened: unknown): string | null {
  if (!(opened instanceof Gateway)) {
    return 'opens no gateway: it has to extend the class `Gateway` that it is given';
  }
  const { error } = Whole.safeParse(opened);
  if (!error) return null;
  const wrong = error.issues.map(({ path, message }) => `\`${path.join('.')}\` ${message}`);
  return `opens half a gateway: ${wrong.join(', ')}`;
}
