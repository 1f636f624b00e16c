import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeWithBooks } from '../e2e/documents/document-calls.js';
import { startTestService, type TestService } from '../support/service.js';
import { tries } from '../support/share.js';
import { hunt, wordsOf } from './hunt.js';

/** `npm run vat` tries as many as you like. */
const SELLERS = tries({ pushed: 8, full: 100 });
const SEED = Date.now() % 2 ** 31;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));

it(
  'the tax of a seller is the same by documents, by report and by DATEV',
  { timeout: 60_000 + SELLERS * 15_000 },
  async () => {
    const { wrong } = await hunt(service, { sellers: SELLERS, steps: 40, seed: SEED, lanes: 2 });
    expect(wrong.map(wordsOf)).toEqual([]);
  },
);
