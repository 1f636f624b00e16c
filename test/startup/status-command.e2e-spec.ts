import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusReport } from '../../src/platform/observability/service-status.js';
import { startTestService, type TestService } from '../support/service.js';
import { aPlace, type Place } from './program.js';

// `quittance status` asks the running service at the port of its metrics.

let service: TestService;
let place: Place;
beforeAll(async () => {
  service = await startTestService();
  place = await aPlace();
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

const port = () => new URL(service.metricsUrl).port;
const run = async (at: string, ...args: string[]) =>
  place.command(['status', ...args], { QUITTANCE_METRICS_PORT: at });
const differ = async (count: number) => {
  await service.database.query('DELETE FROM integrity_runs');
  await service.database.query(
    `INSERT INTO integrity_runs (account_id, started_at, finished_at, differences)
     VALUES ('00000000-0000-0000-0000-000000000000', now(), now(), $1)`,
    [count],
  );
};

describe('the status of the service', () => {
  it('is told to people, and ends with 0 where all is fine', async () => {
    await differ(0);
    const { code, output, errors } = await run(port());
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^All works, and nothing waits\. .*\n\nFine\n {2}/);
    expect(output).not.toMatch(/next:/);
  });

  it('ends with 1 where something failed, and names the next step first', async () => {
    await differ(2);
    const { code, output } = await run(port());
    expect(code).toBe(1);
    expect(output).toMatch(
      /\n\nFailed\n {2}Differences .*: 2\n {4}next: cli integrity names them; docs\/runbook.md#books-differ\n\nFine\n/,
    );
    const { output: json } = await run(port(), '--json');
    const { state, lines } = JSON.parse(json) as StatusReport;
    expect([state, lines[0]?.value]).toEqual(['failed', 2]);
  });

  it('ends with 0 where only people are waited for', async () => {
    await differ(0);
    const client = await service.aClient();
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await client.void(invoice);
    await service.deliverPaid(link);
    const { code, output } = await run(port());
    expect(output).toContain(
      'Waits for a person\n  Payments at providers that no document could take: 1',
    );
    expect(code).toBe(0);
  });

  it.each([
    ['nobody listens', '1', 'no_answer', /start it, or run this beside it/],
    ['the port is off', 'off', 'configuration', /^QUITTANCE_METRICS_PORT: is off/],
    ['the port is any', '0', 'configuration', /^QUITTANCE_METRICS_PORT: is 0/],
  ])('says what to do where %s', async (_, at, code, detail) => {
    const ended = await run(at, '--json');
    expect([ended.code, ended.output]).toEqual([2, '']);
    expect(JSON.parse(ended.errors)).toEqual({ code, detail: expect.stringMatching(detail) });
  });
});
