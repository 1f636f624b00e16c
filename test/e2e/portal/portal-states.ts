import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import type { TestService } from '../../support/service.js';
import { pathOf } from '../documents/document-calls.js';
import { aScheduledPage } from './scheduled-page.js';

/** Each makes a document in one state, and gives the token of its page. */
export function portalStates(service: TestService, client: TestClient) {
  const toPortal = (token: string, step: string, body: object) =>
    service.call(`/v1/portal/${token}/${step}`, { method: 'POST', body });
  const onItsWay = async (invoice: { id: string }, amount: number) => {
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount });
    const at = service.clock.now().toISOString();
    const data = { payment_id: `sbx_${link.id}`, payment_link_id: link.id, at };
    const delivery = sandboxDelivery(service, 'payment.processing', data);
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    return client.aPortalToken(invoice);
  };
  const states: Record<string, (wish: DocumentWish) => Promise<string>> = {
    'an open invoice': async (wish) => client.aPortalToken(await client.anInvoice(wish)),
    'a long invoice': async (wish) => {
      const lines = Array.from({ length: 40 }, (_, at) => ({
        description: `Item ${at}`,
        unit_amount: 100,
      }));
      return client.aPortalToken(await client.anInvoice({ ...wish, lines }));
    },
    'a part payment': async (wish) => {
      const invoice = await client.anInvoice(wish);
      await client.pay(invoice);
      return client.aPortalToken(invoice);
    },
    'prepaid above the total': async (wish) => {
      const prepayments = [{ amount: 13_000, method: 'cash', on_overpayment: 'credit' }];
      return client.aPortalToken(await client.anInvoice({ ...wish, prepayments }));
    },
    'a prepayment taken back': async (wish) => {
      const prepayments = [{ amount: 13_000, method: 'cash', on_overpayment: 'credit' }];
      const invoice = await client.anInvoice({ ...wish, prepayments });
      const path = pathOf(invoice, 'payments');
      const { body } = await client.get<{ data: { id: string }[] }>(path);
      await client.post(`/v1/finance/payments/${body.data[0]?.id}/reverse`);
      return client.aPortalToken(invoice);
    },
    'a paid invoice with a refund': async (wish) => {
      const invoice = await client.anInvoice(wish);
      const paid = await client.pay(invoice, { amount: 11_900 });
      const { id } = paid.body['payment'] as { id: string };
      await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 900 });
      return client.aPortalToken(invoice);
    },
    'a paid invoice': async (wish) => {
      const invoice = await client.anInvoice(wish);
      await client.pay(invoice, { amount: 11_900 });
      return client.aPortalToken(invoice);
    },
    'a refunded invoice': async (wish) => {
      const invoice = await client.anInvoice(wish);
      const paid = await client.pay(invoice, { amount: 11_900 });
      const { id } = paid.body['payment'] as { id: string };
      await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 11_900 });
      await aCreditNote(client, invoice);
      return client.aPortalToken(invoice);
    },
    'money on its way': async (wish) => onItsWay(await client.anInvoice(wish), 11_900),
    'a part on its way': async (wish) => onItsWay(await client.anInvoice(wish), 5000),
    'a debit to come': async (wish) => {
      const invoice = await client.anInvoice({
        ...wish,
        collection_method: 'charge_automatically',
      });
      const { currency, customer_id: customer } = invoice;
      await client.post(`/v1/finance/customers/${customer}/mandates`, {
        gateway: 'sandbox',
        currency,
      });
      return client.aPortalToken(invoice);
    },
    'a void invoice': async (wish) =>
      client.aPortalToken(await client.void(await client.anInvoice(wish))),
    'a rejected invoice': async (wish) => {
      const token = await client.aPortalToken(await client.anInvoice(wish));
      await toPortal(token, 'reject', { reason: 'Wrong address' });
      return token;
    },
    'an open quote': async (wish) => client.aPortalToken(await client.aQuote(wish)),
    'an accepted quote': async (wish) => {
      const token = await client.aPortalToken(await client.aQuote(wish));
      await toPortal(token, 'accept', { name: 'Ada Lovelace' });
      return token;
    },
    'a revised quote': async (wish) => {
      const quote = await client.aQuote(wish);
      const { body } = await client.post<{ id: string }>(pathOf(quote, 'revise'), {});
      await client.patch(pathOf(body), { notes: 'New' });
      return client.aPortalToken(await client.issue(body));
    },
    'a schedule to ask about': async (document) =>
      (await aScheduledPage(service, client, { document, client_may: 'ask_to_end' })).token,
    'a schedule to end': async (document) =>
      (await aScheduledPage(service, client, { document, client_may: 'end' })).token,
    'a credit note': async (wish) =>
      client.aPortalToken(await aCreditNote(client, await client.anInvoice(wish), { amount: 500 })),
  };
  return states;
}
