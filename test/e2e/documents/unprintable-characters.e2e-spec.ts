import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { pathOf } from './document-calls.js';

// A text with characters that no font has is told before somebody reads boxes.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const WISH = {
  kind: 'invoice',
  currency: 'EUR',
  customer: { name: 'Globex 😀', country: 'US', address: ['Main St 1', '𓀀 Road'] },
  lines: [
    { description: 'Größe – 東京 – 서울 – กรุงเทพ – القاهرة – ₹', unit_amount: 100 },
    { description: '𐎀 and 😀, 😀', unit_amount: 100 },
  ],
  notes: 'Fine ✓',
};
const TOLD = [
  { pointer: '/customer/name', characters: ['😀'] },
  { pointer: '/customer/address/1', characters: ['𓀀'] },
  { pointer: '/lines/1/description', characters: ['𐎀', '😀'] },
];

type Warned = Pick<DocumentBody, 'warnings'> & { id: string; valid?: boolean };
const told = ({ warnings = [] }: Warned) =>
  warnings
    .filter(({ code }) => code === 'characters_not_printable')
    .map(({ pointer, characters }) => ({ pointer, characters }));

it('is told by preview, validation and issue, and refuses nothing', async () => {
  await client.patch('/v1/finance/seller', { strict: true });
  const preview = await client.post<Warned>('/v1/finance/documents/preview', WISH);
  expect(told(preview.body)).toEqual(TOLD);
  const draft = await client.post<Warned>('/v1/finance/documents', WISH);
  expect(draft.body.warnings).toBeUndefined();
  const judged = await client.post<Warned>(pathOf(draft.body, 'validate'));
  expect([judged.body.valid, told(judged.body)]).toEqual([true, TOLD]);
  const issued = await client.post<Warned>(pathOf(draft.body, 'issue'));
  expect([issued.status, told(issued.body)]).toEqual([200, TOLD]);
});

it('is told of the seller, too, and twenty times at most', async () => {
  await client.patch('/v1/finance/seller', { name: 'Acme 😀' });
  const lines = Array.from({ length: 50 }, () => ({ description: '😀', unit_amount: 100 }));
  const { body } = await client.post<Warned>('/v1/finance/documents', {
    ...WISH,
    lines,
    issue: true,
  });
  expect(told(body)).toHaveLength(20);
  expect(told(body)[0]?.pointer).toBe('/seller/name');
});
