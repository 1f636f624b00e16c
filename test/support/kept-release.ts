import { booksOfEverything, sealAll } from './books.js';
import { type KeptRelease, keptRows } from './restore.js';
import type { TestService } from './service.js';

/** Books with all kinds of rows, and the database that holds them. */
export async function keptRelease(version: string, service: TestService): Promise<KeptRelease> {
  const client = await service.aClient();
  await booksOfEverything(service, client);
  const { number } = await client.anInvoice();
  await sealAll(service);
  const { id, secret, accountId } = client;
  const kept = await keptRows(service.database);
  return { version, client: { id, secret, accountId }, lastNumber: number ?? '', ...kept };
}
