import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrityJob } from '../../../src/integrity/application/integrity-job.js';
import { Figures } from '../../../src/platform/observability/figures.js';
import type { StatusReport } from '../../../src/platform/observability/service-status.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { imported } from '../bank/bank-calls.js';
import { disputeCalls } from '../payments/dispute-calls.js';

const DAY_MS = 86_400_000;

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService({ integrityHours: 24 });
  client = await service.aClient();
});
afterAll(() => service.close());

async function samples(): Promise<Map<string, number>> {
  const { text } = await service.metrics();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function status(): Promise<StatusReport> {
  const answer = await fetch(new URL('/status.json', service.metricsUrl));
  return (await answer.json()) as StatusReport;
}

const waiting = async (what: string) => (await samples()).get(`waiting_for_person{what="${what}"}`);

describe('the figures of an installation', () => {
  it('are all there, and nothing waits at first', async () => {
    const found = await samples();
    const people = [...found].filter(([name]) => name.startsWith('waiting_for_person{'));
    expect(people.map(([, count]) => count)).toEqual(people.map(() => 0));
    expect(people.length).toBeGreaterThan(8);
    const names = new Set([...found.keys()].map((name) => name.replace(/\{.*/, '')));
    const definitions = (await service.app.get(Figures).read()).map((one) => one.definition.name);
    const missing = definitions.filter((name) => !names.has(name));
    // There is no deadline yet.
    expect(missing).toEqual(['dispute_deadline_seconds']);
    expect([...found.keys()].filter((name) => name.startsWith('figures_failed_total'))).toEqual([]);
    expect(found.get('database_size_bytes')).toBeGreaterThan(1e6);
    expect(found.get('database_connections{state="most"}')).toBe(service.config.databasePoolSize);
  });

  it('count money that waits for a person, of all accounts', async () => {
    const other = await service.aClient();
    for (const one of [client, other]) {
      const invoice = await one.anInvoice();
      const link = await one.aPaymentLink(invoice);
      await one.void(invoice);
      await service.deliverPaid(link);
    }
    expect(await waiting('unmatched_receipts')).toBe(2);
    await imported(client, { amount: '77.00', text: 'who knows' });
    expect(await waiting('bank_entries_unmatched')).toBe(1);
    expect(await waiting('bank_entries_proposed')).toBe(0);
  });

  it('tell of disputes until they are answered or decided', async () => {
    const calls = disputeCalls(service, () => client);
    const due = new Date(service.clock.now().getTime() + 3 * DAY_MS).toISOString();
    const paid = await calls.paid();
    await calls.tell('dispute.opened', paid, { fee: 1500, reason: 'fraud', evidence_due_by: due });
    expect(await waiting('disputes')).toBe(1);
    const seconds = (await samples()).get('dispute_deadline_seconds') ?? 0;
    expect(seconds).toBeGreaterThan(2.9 * 86_400);
    expect(seconds).toBeLessThanOrEqual(3 * 86_400);
    await calls.tell('dispute.won', paid, { at: 120 });
    expect(await waiting('disputes')).toBe(0);
    expect((await samples()).has('dispute_deadline_seconds')).toBe(false);
  });

  it('tell of checks and seals by the database, whichever process made them', async () => {
    expect((await samples()).get('books_differences')).toBe(-1);
    const before = (await status()).lines.find(({ metric }) => metric === 'books_differences');
    expect(before).toMatchObject({ state: 'fine', shown: 'not known yet' });
    await service.app.get(IntegrityJob).run();
    const found = await samples();
    expect(found.get('books_differences')).toBe(0);
    expect(found.has('books_last_check_seconds')).toBe(true);
  });

  it('tell of work that failed in its last round', async () => {
    const name = 'job_last_round_failed{work="mail stopped; the next round goes on"}';
    expect((await samples()).get(name)).toBe(0);
  });

  it('tell of the queues of this process', async () => {
    const found = await samples();
    for (const queue of ['connections', 'locked_documents', 'exports', 'prints', 'large_prints']) {
      expect(found.get(`queue_waiting{queue="${queue}"}`)).toBe(0);
    }
  });
});

describe('the status', () => {
  it('says what waits, and the next step of each', async () => {
    const { state, lines } = await status();
    expect(state).toBe('waits');
    expect(lines[0]).toMatchObject({ state: 'waits', value: expect.any(Number) });
    const receipts = lines.find(({ metric }) => metric.includes('unmatched_receipts'));
    expect(receipts).toMatchObject({ state: 'waits', value: 2, shown: '2' });
    expect(lines.filter(({ next }) => next === null).every((line) => line.state === 'fine')).toBe(
      true,
    );
  });

  it('turns with what fails', async () => {
    await service.database.query('UPDATE integrity_runs SET differences = 3');
    expect(await status()).toMatchObject({
      state: 'failed',
      lines: expect.arrayContaining([
        expect.objectContaining({ state: 'failed', value: 3, metric: 'books_differences' }),
      ]),
    });
    await service.database.query('UPDATE integrity_runs SET differences = 0');
  });

  it('is not at the port of the API', async () => {
    for (const path of ['/status', '/status.json', '/metrics']) {
      expect((await service.call(path)).status).toBe(404);
    }
  });

  it('has no data of an account', async () => {
    const page = await (await fetch(new URL('/status', service.metricsUrl))).text();
    const ids = [client.accountId, client.id, 'acc_', 'doc_', '77.00', 'who knows'];
    expect(ids.filter((id) => page.includes(id))).toEqual([]);
  });

  it('leads to pages, calls and commands that there are', async () => {
    const read = await service.app.get(Figures).read();
    const steps = read.flatMap(({ definition }) =>
      (definition.signs ?? []).map(({ next }) => next),
    );
    expect(steps.length).toBeGreaterThan(15);
    const root = new URL('../../../', import.meta.url);
    const { body } = await service.call<{ paths: object }>('/v1/openapi.json');
    const routes = new Set(Object.keys(body.paths));
    const wrong = steps.flatMap((step) => [
      ...[...step.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)].filter(([, page = '', anchor]) => {
        const file = new URL(page, root);
        if (!existsSync(file)) return true;
        return anchor !== undefined && !headingsOf(readFileSync(file, 'utf8')).has(anchor);
      }),
      ...[...step.matchAll(/(?:GET|POST) (\/v1\/[\w/{}-]+)/g)].filter(
        ([, path = '']) => !routes.has(path),
      ),
    ]);
    expect(wrong.map(([text]) => text)).toEqual([]);
  });
});

const headingsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
