import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RefusalLog } from '../../src/auth/index.js';
import { NO_ACCOUNT, uuidOf } from '../../src/kernel/ids.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

interface Entry {
  action: string;
  subject: string | null;
  actor_type: string;
  actor_id: string | null;
  address: string | null;
  request_id: string | null;
  before: object | null;
  after: object | null;
}

const entriesOf = async ({ accountId }: TestClient): Promise<Entry[]> =>
  service.database.query<Entry>(
    `SELECT action, subject, actor_type, actor_id, host(address) AS address, request_id, before,
       after
     FROM audit_entries WHERE account_id = $1 ORDER BY occurred_at, entry_id`,
    [uuidOf('acc', accountId)],
  );

describe('the audit log', () => {
  it('says who changed the payment settings, from where, and from what to what', async () => {
    const path = '/v1/finance/payment-settings';
    const tolerance = [{ currency: 'EUR', amount: 50 }];
    const headers = { 'x-request-id': 'request-1' };
    await client.patch(path, { underpayment_tolerance: tolerance }, headers);
    expect(await entriesOf(client)).toEqual([
      {
        action: 'payment_settings.updated',
        subject: null,
        actor_type: 'client',
        actor_id: client.id,
        address: '127.0.0.1',
        request_id: 'request-1',
        before: { underpayment_tolerance: {} },
        after: { underpayment_tolerance: { EUR: 50 } },
      },
    ]);
  });

  it('has nothing of a change that was refused', async () => {
    const path = '/v1/finance/payment-settings';
    await client.patch(path, { underpayment_tolerance: [] }, { 'if-match': '"7"' });
    expect(await entriesOf(client)).toEqual([]);
  });
});

const refusedSignatures = async () =>
  service.database.query<{ subject: string; address: string; occurrences: number }>(
    `SELECT subject, host(address) AS address, actor_type, occurrences, account_id
     FROM audit_entries WHERE action = 'signature.refused' ORDER BY occurred_at, entry_id`,
  );

describe('a refused signature', () => {
  it('is counted with the others of its minute, and nobody waits for it', async () => {
    const forged = async () =>
      service.call('/v1/webhooks/gateway-a', { method: 'POST', body: { id: 'evt_forged' } });
    const log = service.app.get(RefusalLog);
    expect((await forged()).status).toBe(400);
    await log.write();
    await Promise.all(Array.from({ length: 300 }, forged));
    await log.write();
    const one = {
      account_id: NO_ACCOUNT,
      subject: 'gateway-a',
      address: '127.0.0.1',
      actor_type: 'none',
      occurrences: 1,
    };
    expect(await refusedSignatures()).toEqual([one]);
    service.clock.advance({ seconds: 120 });
    await log.write();
    expect(await refusedSignatures()).toEqual([one, { ...one, occurrences: 300 }]);
    const metrics = await service.call('/metrics');
    expect(metrics.text).toContain('signatures_refused_total{gateway="gateway-a"} 301');
    expect(metrics.text).toContain('audit_entries_total{action="signature.refused"} 2');
  });
});
