import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/platform/database/database.js';
import { aServerPair, type ServerPair } from '../../support/server-pair.js';
import { startTestService, type TestService } from '../../support/service.js';

let pair: ServerPair;
let reader: TestService;

beforeAll(async () => {
  pair = await aServerPair({ settings: { max_standby_streaming_delay: '100ms' } });
  reader = await startTestService({ database: pair.ofStandby, readOnly: true });
}, 120_000);
afterAll(async () => {
  await reader?.close();
  await pair?.remove();
}, 60_000);

it('a read of a standby that stands in the way of the primary is told to come again', async () => {
  const { ofPrimary } = pair;
  await ofPrimary.query('CREATE TABLE doomed AS SELECT generate_series(1, 1000) AS id');
  await ofPrimary.query('GRANT SELECT ON doomed TO PUBLIC');
  await pair.caughtUp();
  const read = reader.app
    .get(Database)
    .query('SELECT count(*) FROM doomed WHERE pg_sleep(0.05) IS NOT NULL');
  const told = expect(read).rejects.toMatchObject({
    code: 'database_unavailable',
    context: { retry_after: 2 },
    cause: { code: '40001' },
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await ofPrimary.query('DELETE FROM doomed');
  await ofPrimary.query('VACUUM doomed');
  await told;
});
