import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityJob } from '../../../src/integrity/application/integrity-job.js';
import { createLog } from '../../../src/platform/observability/log.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let other: TestService;
const lines: string[] = [];

beforeAll(async () => {
  const log = createLog('info', { write: (line) => lines.push(line) });
  service = await startTestService({ log, integrityHours: 24 });
  other = await startTestService({ integrityHours: 24, database: service.database });
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  await service.database.query('DELETE FROM integrity_runs');
  lines.length = 0;
});

const run = async (of = service) => of.app.get(IntegrityJob).run();
const metric = async () => /^books_differences (.*)$/m.exec((await service.metrics()).text)?.[1];

describe('the job that checks the books', () => {
  it('has not run at first', async () => {
    expect(await metric()).toBe('-1');
  });

  it('runs once in its hours, whichever process looks', async () => {
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(await run(other)).toBe(0);
    const runs = await service.database.query('SELECT differences FROM integrity_runs');
    expect(runs).toEqual([{ differences: 0n }]);
    expect(await metric()).toBe('0');
    await service.database.query(
      `UPDATE integrity_runs SET requested_at = requested_at - interval '25 hours'`,
    );
    expect(await run(other)).toBe(1);
  });

  it('runs in one process when two look at the same time', async () => {
    const ran = await Promise.all([run(), run(other), run(), run(other)]);
    expect(ran.filter(Boolean)).toHaveLength(1);
  });

  it('tells what it found, in the log and as a metric', async () => {
    const client = await service.aClient();
    const invoice = await client.anInvoice();
    await service.database.query('UPDATE documents SET amount_paid = 1');
    expect(await run()).toBe(1);
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const errors = told.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.['differences']).toContainEqual(
      expect.objectContaining({ id: invoice.id, stored: '1', derived: '0' }),
    );
    expect(Number(await metric())).toBeGreaterThan(0);
    await service.database.query('UPDATE documents SET amount_paid = 0');
  });
});
