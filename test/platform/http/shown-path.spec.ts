import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/platform/http/shown-path.js';

const SHORT = 'kZ3-x_Q9';
const TOKEN = 'kZ3-x_Q9aaBBcc-DDee11FFgg22HHii33JJkk44LLmm5';
const ID = 'doc_01h455vb4pex5vsknk084sn02q';

describe('a path that is shown', () => {
  it.each([
    [`/v1/portal/${SHORT}`, '/v1/portal/***'],
    [`/v1/portal/${SHORT}/`, '/v1/portal/***/'],
    [`/v1/portal/${SHORT}/reject`, '/v1/portal/***/reject'],
    [`/v1/portal/${SHORT}/nothing`, '/v1/portal/***/***'],
    [`/v1/portal//${SHORT}`, '/v1/portal//***'],
    [`/v1/portal/documents/${SHORT}/pdf`, '/v1/portal/documents/***/pdf'],
    [`/v1/portal/documents/${SHORT}`, '/v1/portal/documents/***'],
    [`/V1/Portal/${SHORT}/reject`, '/V1/Portal/***/reject'],
    [`/v1/%70ortal/${SHORT}/x`, '/v1/%70ortal/***/***'],
    [`/v1/portal/Documents/${SHORT}/pdf`, '/v1/portal/Documents/***/pdf'],
    [`/v1/portal%2F${TOKEN}`, '/v1/***'],
    [`/v1/${TOKEN}`, '/v1/***'],
    [`/v1/finance/documents/${TOKEN}`, '/v1/finance/documents/***'],
    [`/v1/finance/documents/qtc_test_${TOKEN}x`, '/v1/finance/documents/***'],
    [`/v1/finance/documents/${TOKEN.slice(0, 30)}`, '/v1/finance/documents/***'],
    [`/${encodeURIComponent(TOKEN).replace('k', '%6B')}`, '/***'],
    [`//x;${TOKEN}`, '//***'],
    [`/v1/%zz${SHORT}`, '/v1/***'],
  ])('has no token: %s', (path, shown) => {
    expect(withoutSecrets(path)).toBe(shown);
  });

  it.each([
    '/v1/portal/documents',
    '/v1/portal/',
    `/v1/portal/return/lnk_${ID.slice(4)}`,
    `/v1/finance/documents/${ID}`,
    '/v1/finance/documents/doc_1',
    '/v1/finance/periods/2026-10/close',
    '/v1/finance/documents/by-external-id/E-1',
    '/v1/webhooks/gateway-a',
    '/v1/webhooks/the-gateway-of-our-shop-in-the-north',
    '/v1/finance/documentz',
    '/',
  ])('tells the rest: %s', (path) => {
    expect(withoutSecrets(path)).toBe(path);
  });
});
