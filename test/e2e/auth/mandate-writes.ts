import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';

type Act = () => Promise<Answer<unknown>>;
type Id = { id: string };

/** The writing calls of mandates, each with all that it needs first. The sandbox gives one at once. */
export function mandateWrites(client: () => TestClient): Record<string, () => Promise<Act>> {
  const asked = async (customer: string) => {
    const wish = { gateway: 'sandbox', currency: 'EUR' };
    return client().post<Id>(`/v1/finance/customers/${customer}/mandates`, wish);
  };
  const aMandate = async (customer?: string): Promise<string> => {
    const { body } = await asked(customer ?? (await client().aCustomer()).id);
    return `/v1/finance/mandates/${body.id}`;
  };
  return {
    'POST /v1/finance/customers/:id/mandates': async () => {
      const { id } = await client().aCustomer();
      return () => asked(id);
    },
    'PATCH /v1/finance/mandates/:id': async () => {
      const path = await aMandate();
      return () => client().patch(path, { collects_automatically: true });
    },
    'POST /v1/finance/mandates/:id/cancel': async () => {
      const path = await aMandate();
      return () => client().post(`${path}/cancel`);
    },
    'POST /v1/finance/documents/:id/collect': async () => {
      const invoice = await client().anInvoice();
      await aMandate(invoice.customer_id ?? '');
      return () => client().post(`/v1/finance/documents/${invoice.id}/collect`);
    },
  };
}
