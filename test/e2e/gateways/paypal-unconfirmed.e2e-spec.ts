import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnmatchedReceiptBody } from '../../../src/payments/recording/wire/unmatched-receipt.js';
import { signPayPal } from '../../../src/gateways/paypal/paypal.gateway.js';
import type { GatewayConfig } from '../../../src/platform/config/gateway-config.js';
import { forgeCrc } from '../../gateways/paypal/paypal-test-chain.js';
import { PAYPAL_FOLDER } from '../../support/folders.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';

const FILLER = 'abcdefghijklmnop'.repeat(4);
const RECEIPTS = '/v1/finance/unmatched-receipts';

/** PayPal as a stranger signs for it: its certificate is trusted, its key is not ours. */
function withoutDemoKey(gateway: GatewayConfig): GatewayConfig {
  const { demo_key: _, ...settings } = gateway.settings;
  return { ...gateway, settings };
}

describe('PayPal without a look-up', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ gateways: testConfig(0).gateways.map(withoutDemoKey) });
  });
  afterAll(() => service.close());

  function signed(body: string): Record<string, string> {
    return signPayPal(createPrivateKey(readFileSync(join(PAYPAL_FOLDER, 'leaf-key.pem'))), {
      webhookId: 'WH-TEST',
      environment: 'sandbox',
      time: service.clock.now().toISOString(),
      body,
    });
  }

  function captured(link: { id: string }, value: string): string {
    const time = service.clock.now().toISOString();
    const amount = { currency_code: 'EUR', value };
    const id = crc32(link.id + value).toString(16);
    const resource = { id, status: 'COMPLETED', amount, custom_id: link.id, note: FILLER };
    return JSON.stringify({
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      create_time: time,
      resource,
    });
  }

  const deliver = async (body: string, headers: Record<string, string>) =>
    service.call('/v1/webhooks/gateway-b', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('books nothing of a body that has the checksum of one that was signed', async () => {
    const client = await service.aClient();
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-b', amount: 10_000 });
    const cent = captured(link, '0.01');
    const forged = forgeCrc(captured(link, '100.00'), FILLER, crc32(cent), crc32);
    expect(crc32(forged)).toBe(crc32(cent));

    // The signature holds: what PayPal signed says nothing else.
    const headers = signed(cent);
    expect(await deliver(forged, headers)).toMatchObject({
      status: 200,
      body: { status: 'ignored' },
    });
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_paid: 0 });
    expect((await client.get(`/v1/finance/payment-links/${link.id}`)).body.status).toBe('open');
    // The true event of the same id is refused afterwards: one of the two is forged.
    expect((await deliver(cent, headers)).status).toBe(400);
    await expectBooksToAgree(service);
  });

  it('keeps true money for a person, who gives it to the document', async () => {
    const client = await service.aClient();
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-b' });
    const body = captured(link, '119.00');
    const headers = signed(body);
    for (let times = 0; times < 2; times += 1) {
      expect((await deliver(body, headers)).body).toEqual({ status: 'ignored' });
    }
    const { data } = (await client.get<{ data: UnmatchedReceiptBody[] }>(RECEIPTS)).body;
    expect(data).toMatchObject([
      { reason: 'unconfirmed', amount: 11_900, document_id: invoice.id, link_reference: link.id },
    ]);
    const assigned = await client.post(`${RECEIPTS}/${data[0]?.id}/assign`, {
      document_id: invoice.id,
    });
    expect(assigned.status).toBe(200);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });
});
