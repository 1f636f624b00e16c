import { afterAll, beforeAll, expect, it } from 'vitest';
import { follow } from '../../feed/following.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

// A share of `npm run feed`.
it('readers miss no event and see none twice, beside writers, restarts and a slow transaction', async () => {
  const run = { events: 1500, writers: 8, heldMs: 2000, restarts: 2 };
  expect(await follow(service, run)).toEqual([]);
});
