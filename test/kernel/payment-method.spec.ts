import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parsePaymentMethod, PAYMENT_METHODS } from '../../src/kernel/payment-method.js';

describe('a payment method', () => {
  it.each([
    ['bank_transfer', 'bank_transfer'],
    ['Bank transfer', 'bank_transfer'],
    ['BANK-TRANSFER', 'bank_transfer'],
    ['  bank \t transfer ', 'bank_transfer'],
    ['bank - transfer', 'bank_transfer'],
    ['Direct Debit', 'direct_debit'],
    ['credit balance', 'credit_balance'],
    ['CARD', 'card'],
  ])('%j is %s', (text, method) => {
    expect(parsePaymentMethod(text)).toBe(method);
  });

  it.each(['', ' ', '_', 'banktransfer', 'bank__transfer', 'paypal', 'toString', '__proto__'])(
    '%j is none',
    (text) => expect(parsePaymentMethod(text)).toBeUndefined(),
  );

  it('is found whatever its case and its gaps', () => {
    const spelled = fc.constantFrom(...PAYMENT_METHODS).chain((method) =>
      fc
        .tuple(
          fc.array(fc.boolean(), { minLength: method.length, maxLength: method.length }),
          fc.stringMatching(/^[- ]{1,3}$|^_$/),
        )
        .map(([upper, gap]) => ({
          method,
          text: [...method]
            .map((letter, at) => (upper[at] ? letter.toUpperCase() : letter))
            .join('')
            .replaceAll('_', gap),
        })),
    );
    fc.assert(
      fc.property(spelled, ({ method, text }) => {
        expect(parsePaymentMethod(text)).toBe(method);
      }),
    );
  });

  it('is never found in anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = parsePaymentMethod(text);
        fc.pre(!PAYMENT_METHODS.includes(text.trim().toLowerCase() as 'card'));
        expect(found === undefined || /[-\s]/.test(text) || text.includes('_')).toBe(true);
      }),
    );
  });
});
