import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeWithBooks } from '../e2e/documents/document-calls.js';
import { startTestService, type TestService } from '../support/service.js';
import { RUN_SEED, tries } from '../support/share.js';
import { hunt, wordsOf } from './hunt.js';

/** `npm run vat` tries as many as you like. */
const SELLERS = tries({ pushed: 4, full: 100 });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));

it(
  'the tax of a seller is the same by documents, by report and by DATEV',
  { timeout: 60_000 + SELLERS * 15_000 },
  async () => {
    const { wrong } = await hunt(service, {
      sellers: SELLERS,
      steps: 40,
      seed: RUN_SEED,
      lanes: 2,
    });
    expect(wrong.map(wordsOf)).toEqual([]);
  },
);
