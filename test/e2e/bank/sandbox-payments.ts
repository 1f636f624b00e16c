import { randomUUID } from 'node:crypto';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import type { TestService } from '../../support/service.js';

export interface Paid {
  id: string;
  reference: string;
  fee: number | null;
}

/** Payments of 119.00 that the sandbox tells, of the client that is the test's then. */
export function sandboxPaymentsOf(service: () => TestService, client: () => TestClient) {
  /** The provider says that it came, and what it keeps of it if it tells. */
  async function deliver(link: { id: string }, fee?: number): Promise<string> {
    const payment_id = randomUUID();
    const said = { payment_id, payment_link_id: link.id, amount: 11_900, currency: 'EUR', fee };
    const paid_at = service().clock.now().toISOString();
    const delivery = sandboxDelivery(service(), 'payment.succeeded', { ...said, paid_at });
    await service().call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    return payment_id;
  }

  /** An invoice that is paid through a gateway, and the payment as it is stored. */
  async function paid(fee?: number): Promise<Paid> {
    const invoice = await client().anInvoice();
    await deliver(await client().aPaymentLink(invoice, { gateway: 'sandbox' }), fee);
    const path = `/v1/finance/documents/${invoice.id}/payments`;
    const { body } = await client().get<{ data: Paid[] }>(path);
    const [payment] = body.data;
    if (!payment) throw new Error('there is no payment');
    return payment;
  }

  return { deliver, paid };
}
