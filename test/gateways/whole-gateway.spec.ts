import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openGateways } from '../../src/gateways/configured-gateways.js';
import type { Provider } from '../../src/gateways/provider.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { Gateway } from '../../src/payments/index.js';

/** A provider as JavaScript brings it: whatever `open` gives. */
function refusalOf(open: () => unknown): string {
  const settings = z.strictObject({});
  const provider = { name: 'acme', settings, unsafe: () => [], open } as unknown as Provider;
  const config = { name: 'shop', provider: 'acme', accounts: '*', settings: {} };
  const context = { clock: new SystemClock(), fetch, baseUrl: '', production: false };
  try {
    openGateways([config], context, [provider]);
    return '';
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : '';
  }
}

const half = (fields: object) =>
  Object.assign(Object.create(Gateway.prototype as object) as Gateway, fields);

describe('a provider whose code is wrong keeps the service from starting, with a sentence', () => {
  it.each([
    ['opens nothing', () => undefined, 'opens no gateway'],
    [
      'opens an object',
      () => ({ name: 'shop', verify: async () => undefined }),
      'opens no gateway',
    ],
    [
      'opens half of one',
      () =>
        half({
          name: 'shop',
          provider: 'acme',
          method: 'magic',
          canRefund: false,
          accounts: 'all',
        }),
      '`verify` is no function',
    ],
    [
      'throws',
      () => {
        throw new TypeError('x is not a function');
      },
      'cannot be opened: x is not a function',
    ],
  ])('as it %s', (_, open, sentence) => {
    const refusal = refusalOf(open);
    expect(refusal).toMatch(/^ConfigError: GATEWAY_SHOP_PROVIDER /);
    expect(refusal).toContain(sentence);
  });

  it('names every part that is wrong', () => {
    const refusal = refusalOf(() => half({ name: 'shop', provider: 'acme', method: 'magic' }));
    for (const part of ['method', 'canRefund', 'accounts', 'parse', 'refund']) {
      expect(refusal).toContain(`\`${part}\``);
    }
  });
});
