import { dateIn } from '../../../src/kernel/clock.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import type { TestClient } from '../../support/client.js';
import { imported } from '../bank/bank-calls.js';
import { good } from '../documents/document-calls.js';
import { aReminder } from '../dunning/a-reminder.js';
import { type MailStage, send } from '../mail/mail-calls.js';
import { attached } from '../documents/attachment-calls.js';

/** In each text of the life, with the place that it was written to. */
export const MARK = 'zqmark';
const mark = (where: string) => `${MARK}${where}`;

/** A customer, every field of whom is marked. */
const PERSON = {
  name: mark('name'),
  legal_name: mark('legalname'),
  contact_name: mark('contact'),
  email: `${mark('email')}@example.com`,
  phone: `+49 ${mark('phone')}`,
  address: [mark('street')],
  postal_code: mark('post'),
  city: mark('city'),
  region: mark('region'),
  country: 'DE',
  registration_id: mark('register'),
  tax_ids: [{ type: 'de_stnr', value: mark('taxid') }],
  reference: mark('reference'),
  shipping_address: { name: mark('shipname'), address: [mark('shipstreet')], country: 'DE' },
  external_id: mark('external'),
  metadata: { crm: mark('metadata') },
};

export interface WholeLife {
  customerId: string;
  /** An issued one. */
  invoice: DocumentBody;
  /** Of a page that was opened. */
  token: string;
  /** Its page at the provider stays open. */
  link: PaymentLinkBody;
  /** Ends what is still open. */
  end(): Promise<void>;
}

/** A person who is billed, reminded, debited and paid back, and then leaves. */
export async function aWholeLife(stage: MailStage, client: TestClient): Promise<WholeLife> {
  const { service, catcher } = stage;
  const late = await aReminder(service, client, PERSON);
  const { customer_id: customerId } = await client.read(late);
  const whom = { customer: undefined, customer_id: customerId };
  const path = `/v1/finance/customers/${customerId}`;
  good(await client.patch(path, { city: mark('moved') }), 200);
  await stage.mails();
  good(
    await client.patch(`/v1/finance/documents/${late.id}/dunning`, { note: mark('dunningnote') }),
    200,
  );

  // A quote is accepted with a name, and becomes an invoice.
  const quote = await client.aQuote({ ...whom, notes: mark('notes') });
  const quotePage = await client.aPortalToken(quote);
  await service.call(`/v1/portal/${quotePage}`);
  const body = { name: mark('signature') };
  good(await service.call(`/v1/portal/${quotePage}/accept`, { method: 'POST', body }), 200);
  const converted = good(
    await client.post<DocumentBody>(`/v1/finance/documents/${quote.id}/convert`),
    201,
  );
  const metadata = { order: mark('docmetadata') };
  good(
    await client.patch(`/v1/finance/documents/${converted.id}`, {
      metadata,
      purchase_order: mark('order'),
    }),
    200,
  );
  await attached(client, converted);
  const invoice = await client.issue(converted);
  good(await client.get(`/v1/finance/documents/${invoice.id}/xml?profile=peppol`), 200);
  await send(client, invoice, { note: mark('mailnote') });
  catcher.refuse = () => ({ responseCode: 550, message: `<${mark('bounced')}> unknown` });
  await stage.run();
  catcher.refuse = () => null;
  await send(client, invoice, { to: [`${mark('other')}@example.com`] });
  await send(client, invoice, { kind: 'reminder' });
  const mails = await stage.mails();
  const refusing = mails
    .map(({ text }) => /(\/v1\/portal\/[\w-]{43}\/stop-reminders)/.exec(text ?? '')?.[1])
    .find((found) => found !== undefined);
  good(await service.call(refusing ?? '', { method: 'POST', body: {} }), 200);

  // Money: by link, by the bank and by hand, of which a part goes back.
  const link = await client.aPaymentLink(invoice, { amount: 1900 });
  await service.deliverPaid(link);
  const unpaid = await client.aPaymentLink(invoice, { amount: 100 });
  const [entry] = await imported(client, {
    amount: '50.00',
    name: mark('bankname'),
    iban: 'DE02120300000000202051',
    text: `${mark('remittance')} ${invoice.number}`,
  });
  const confirmed = { document_id: invoice.id };
  good(await client.post(`/v1/finance/bank-entries/${entry?.id}/confirm`, confirmed), 200);
  const paid = await client.pay(invoice, {
    amount: 5000,
    reference: mark('payref'),
    note: mark('paynote'),
    metadata: { till: mark('paymeta') },
  });
  const { id: payment } = paid.body['payment'] as { id: string };
  const refund = { amount: 1000, meaning: 'lowers_document', method: 'bank_transfer' };
  good(
    await client.post(`/v1/finance/payments/${payment}/refunds`, {
      ...refund,
      reason: mark('refundreason'),
      reference: mark('refundref'),
    }),
    201,
  );

  const schedule = good(
    await client.post<{ id: string }>('/v1/finance/schedules', {
      name: mark('schedule'),
      external_id: mark('scheduleid'),
      metadata: { flat: mark('schedulemeta') },
      document: {
        customer_id: customerId,
        notes: mark('schedulenotes'),
        lines: [{ description: mark('scheduleline'), unit_amount: 100, tax_rate: '19' }],
      },
      recurrence: { every: 'month' },
      action: 'draft',
      start_date: dateIn('UTC', service.clock.now()),
    }),
    201,
  );
  const mandate = good(
    await client.post<{ id: string }>(`${path}/mandates`, { gateway: 'sandbox', currency: 'EUR' }),
    201,
  );
  await client.anInvoice({ ...whom, issue: false, notes: mark('draftnotes') });
  const token = await client.aPortalToken(invoice);
  await service.call(`/v1/portal/${token}`);
  return {
    customerId: customerId ?? '',
    invoice,
    token,
    link: unpaid,
    end: async () => {
      await service.app.get(ScheduleRounds).run();
      const drafts = `/v1/finance/documents?customer_id=${customerId}&status=draft`;
      for (const { id } of good(await client.get<{ data: { id: string }[] }>(drafts), 200).data) {
        good(await client.delete(`/v1/finance/documents/${id}`), 204);
      }
      good(await client.post(`/v1/finance/schedules/${schedule.id}/end`), 200);
      good(await client.post(`/v1/finance/mandates/${mandate.id}/cancel`), 200);
      for (const { id } of [late, invoice]) {
        const { amount_due: amount } = await client.read({ id });
        if (amount > 0) await client.pay({ id }, { amount });
      }
      await stage.run();
    },
  };
}
