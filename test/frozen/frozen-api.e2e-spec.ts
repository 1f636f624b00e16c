import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedApi } from '../support/openapi-file.js';
import { oneIn } from '../support/share.js';
import { startTestService, type TestService } from '../support/service.js';
import { frozenRefusals, OPENAPI_FILE, refusalsOf } from './frozen.js';

// Callers build on how the API describes itself, and on how it refuses. `npm run freeze` writes both
// anew, where a change is meant; the difference of the files says what callers will see.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it('describes itself byte for byte as before', async () => {
  const text = `${JSON.stringify(await describedApi(), null, 1)}\n`;
  expect(text).toBe(await readFile(OPENAPI_FILE, 'utf8'));
});

const frozen = await frozenRefusals();

describe('refuses each wrong request as before: pointers, codes, sentences', () => {
  it.each(oneIn(6, frozen).map((of) => [of.operation, of.isQuery ? 'query' : 'body', of] as const))(
    '%s, its %s',
    async (_operation, _part, { refusals, ...asked }) => {
      const edits = refusals.map(([edit]) => edit);
      const now = await refusalsOf(service, asked, edits);
      expect(edits.map((edit, at) => [edit, now[at]])).toEqual(refusals);
    },
  );
});
