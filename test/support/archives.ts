import { join } from 'node:path';
import { expect } from 'vitest';
import { Sealer } from '../../src/integrity/application/sealer.js';
import { aPlace, type Place } from '../startup/program.js';
import { booksOfEverything, untilAllHaveEnded } from './books.js';
import type { TestClient } from './client.js';
import { startTestService, type TestService } from './service.js';

/** An account that traded for three years, in seals of their own; 2025 is closed and archived. */
export class ArchivedYear {
  constructor(
    readonly service: TestService,
    readonly place: Place,
    readonly client: TestClient,
    readonly neighbour: TestClient,
  ) {}

  async write(name: string, year = '2025', url = this.service.database.url) {
    const wish = ['--account', this.client.accountId, '--year', year, '--to', name];
    const env = { DATABASE_URL: url, QUITTANCE_SECRET: this.service.config.secrets.join(',') };
    return this.place.command(['archive', 'write', ...wish], env);
  }

  /** Its address of a database leads to none. */
  async verify(name: string, ...options: string[]) {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/gone' };
    return this.place.command(['archive', 'verify', name, ...options], env);
  }

  async seal(): Promise<void> {
    await untilAllHaveEnded(this.service);
    await this.service.app.get(Sealer).seal();
  }

  /** An invoice, a payment, and a refund of half of it, in a seal of their own. */
  async trade(of: TestClient, amount: number): Promise<void> {
    const paid = await of.pay(await of.anInvoice(), { amount });
    const { payment } = paid.body as { payment: { id: string } };
    const asked = { amount: amount / 2, method: 'cash' };
    await of.post(`/v1/finance/payments/${payment.id}/refunds`, asked);
    await this.seal();
  }

  async end(): Promise<void> {
    await this.place.remove();
    await this.service.close();
  }
}

/** As `2025.archive`, and the heads of its seals as `heads.jsonl`. */
export async function anArchivedYear(): Promise<ArchivedYear> {
  const place = await aPlace();
  const service = await startTestService({ sealHeadsFile: join(place.folder, 'heads.jsonl') });
  const { clock } = service;
  clock.set('2024-11-20T12:00:00Z');
  const client = await service.aClient({ timeZone: 'Europe/Berlin' });
  const neighbour = await service.aClient();
  const year = new ArchivedYear(service, place, client, neighbour);
  await year.trade(client, 2000);
  clock.set('2025-03-10T12:00:00Z');
  await booksOfEverything(service, client);
  await year.seal();
  await year.trade(client, 3000);
  await year.trade(neighbour, 3000);
  clock.set('2025-11-01T12:00:00Z');
  await year.trade(client, 4000);
  await year.trade(client, 4400);
  clock.set('2026-01-08T12:00:00Z');
  await year.trade(client, 5000);
  expect((await year.write('open.archive')).errors).toContain('2025 is not closed');
  for (const one of [client, neighbour]) await one.post('/v1/finance/periods/2025-12/close');
  await untilAllHaveEnded(service);
  expect((await year.write('early.archive')).errors).toContain('is not sealed yet');
  await year.seal();
  clock.set('2026-02-08T12:00:00Z');
  await year.trade(client, 6000);
  expect(await year.write('2025.archive')).toMatchObject({ code: 0, errors: '' });
  return year;
}
