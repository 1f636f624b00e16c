import { writeFile } from 'node:fs/promises';
import type { OpenApi } from '../e2e/schema-check.js';
import { Chance } from '../../src/testing/chance.js';
import { shareTestServer } from '../support/database-server.js';
import { describedApi } from '../support/openapi-file.js';
import { startTestService } from '../support/service.js';
import { type Frozen, OPENAPI_FILE, REFUSALS_FILE, refusalsOf } from './frozen.js';
import { askedOf } from './requests.js';

// npm run freeze: writes what the API says of itself and how it refuses, where a change is meant.

const document = await describedApi();
await writeFile(OPENAPI_FILE, `${JSON.stringify(document, null, 1)}\n`);

const server = await shareTestServer();
const service = await startTestService();
const frozen: string[] = [];
for (const { edits, ...asked } of askedOf(document as unknown as OpenApi, new Chance(1))) {
  const refusals = await refusalsOf(service, asked, edits);
  const of: Frozen = { ...asked, refusals: edits.map((edit, at) => [edit, refusals[at] ?? '']) };
  frozen.push(JSON.stringify(of).replaceAll('[[["', '\n[[["').replaceAll('],[[["', '],\n[[["'));
}
await writeFile(REFUSALS_FILE, `[${frozen.join(',\n')}]\n`);
await service.close();
await server.stop();
