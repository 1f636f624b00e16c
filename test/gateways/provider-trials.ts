import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { Money } from '../../src/kernel/money.js';
import { providers } from '../../src/gateways/configured-gateways.js';
import type { GatewayContractOptions, MandateTrial, RefundTrial } from '../../src/testing/index.js';
import { startGoCardlessStub } from '../support/gocardless-api.js';
import { startProviderStub } from '../support/provider-stub.js';
import { paymentIdAt } from './all-gateways.js';
import {
  GOCARDLESS_SECRET,
  LINK,
  NOW,
  SETTINGS,
  settingsOfPayPal,
  signedAgain,
  signedInside,
} from './gateway-builders.js';

/** Settings of a key, at an API with that address. */
export const API_SETTINGS: Record<string, (apiBase: string) => Record<string, string>> = {
  stripe: (api_base) => ({ api_key: 'sk_hush', api_base }),
  paypal: (api_base) => ({ client_id: 'client', client_secret: 'hush', api_base }),
  mollie: (api_base) => ({
    api_key: 'test_hush',
    organization_token: 'access_hush',
    api_base,
  }),
  gocardless: (api_base) => ({ access_token: 'sandbox_hush', api_base }),
  adyen: (api_base) => ({ api_key: 'key', api_base }),
  razorpay: (api_base) => ({ key_id: 'rzp_test_1', key_secret: 'hush', api_base }),
};

/** Their currencies: it has none, or its decimals are not certain. */
const REFUSED_CURRENCIES: Record<string, string[]> = {
  razorpay: ['ISK', 'UGX', 'MGA', 'HUF', 'TWD'],
  adyen: ['MGA'],
  gocardless: ['JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF', 'TWD'],
};

const EVENTS: Record<string, GatewayContractOptions['events']> = {
  adyen: { payout: 'untold', payout_failed: 'untold' },
  // There a payment fails late instead of being taken back.
  gocardless: {
    refunded: 'untold',
    reversed: 'failed',
    'dispute.inquiry': 'untold',
    'dispute.opened': 'untold',
  },
  // Of a payment: an event of its payout names nothing but that.
  stripe: { reversed: 'untold', payout: 'untold', payout_failed: 'untold' },
  paypal: { payout: 'untold', payout_failed: 'untold' },
  razorpay: { reversed: 'untold', payout_failed: 'untold' },
  mollie: {
    reversed: 'untold',
    'dispute.inquiry': 'untold',
    'dispute.opened': 'untold',
    payout: 'untold',
    payout_failed: 'untold',
  },
};

const created = NOW.toISOString();
const thin = (type: string, id: string, kind: string) => ({
  id: 'evt_1',
  object: 'v2.core.event',
  type,
  created,
  related_object: { id, type: kind, url: `/v1/${kind}s/${id}` },
});
const named = (resource_type: string, action: string, links: object) => ({
  events: [{ id: 'EV1', created_at: created, resource_type, action, links }],
});
/** Events that say little: all that they name is looked up. */
const NAMING: Record<string, object[]> = {
  stripe: [
    thin('v1.payment_intent.succeeded', 'pi_1', 'payment_intent'),
    thin('v1.checkout.session.completed', 'cs_1', 'checkout.session'),
    thin('v1.charge.refunded', 'ch_1', 'charge'),
    thin('v1.refund.updated', 're_1', 'refund'),
    thin('v1.charge.dispute.created', 'du_1', 'dispute'),
  ],
  paypal: [
    {
      id: 'WH-1',
      event_type: 'CHECKOUT.ORDER.APPROVED',
      create_time: created,
      resource: { id: '5O1', status: 'APPROVED', purchase_units: [{ custom_id: LINK }] },
    },
  ],
  mollie: [{ resource: 'event', id: 'event_1', type: 'payment.paid', entityId: 'tr_1234ABCD' }],
  gocardless: [
    named('payments', 'confirmed', { payment: 'PM1' }),
    named('refunds', 'paid', { refund: 'RF1' }),
    named('payouts', 'paid', { payout: 'PO1' }),
    named('billing_requests', 'fulfilled', {
      billing_request: 'BRQ1',
      payment_request_payment: 'PM1',
    }),
  ],
};

const REFUSAL: Record<string, string> = {
  mollie: 'refused',
  razorpay: 'BAD_REQUEST_ERROR',
  gocardless: 'number_of_refunds_exceeded',
};

/** The one has no API, and the other tells of refunds by events alone: it has a test of its own. */
const TELL_NOTHING: ReadonlySet<string> = new Set(['standard-webhooks', 'adyen']);

function refundsOf(name: string, settings: Record<string, string>): RefundTrial | undefined {
  if (TELL_NOTHING.has(name)) return undefined;
  const of = { providerPaymentId: 'tr_0001' };
  const api = API_SETTINGS[name];
  if (!api) return { of, hasApi: false, open: async () => ({ settings, made: () => 0 }) };
  return {
    of,
    unsayable: name === 'stripe' ? Money.of(1231n, 'KWD') : Money.of(1250n, 'HUF'),
    refusal: REFUSAL[name] ?? 'charge_already_refunded',
    failure: name === 'gocardless' ? 'bounced' : 'failed',
    open: async () => {
      const stub = await startProviderStub();
      return {
        settings: { ...settings, ...api(stub.apiBase) },
        made: () => stub.refunds.length,
        calls: () => stub.calls.length,
        fail: (fault) => (stub.next = [fault]),
        refuse: () => (stub.next = ['refused']),
        hold: () => (stub.next = ['pending']),
        giveUp: () => {
          for (const refund of stub.refunds) refund.status = 'failed';
        },
        // A second 401 is about our credentials; the first may be about an old token.
        failLookUps: (status) => (stub.nextLookUps = [status, status]),
        close: async () => stub.close(),
      };
    },
  };
}

const MANDATE = 'MD000123';

/** GoCardless over its API, and the sandbox, which has nobody to ask. */
function mandatesOf(name: string, settings: Record<string, string>): MandateTrial | undefined {
  if (name === 'sandbox') {
    const standIn = { settings, providerMandateId: MANDATE, debits: () => 0 };
    return { hasApi: false, open: async () => standIn };
  }
  if (name !== 'gocardless') return undefined;
  return {
    open: async () => {
      const stub = await startGoCardlessStub();
      const next_possible_charge_date = '2026-11-25';
      stub.objects[`/mandates/${MANDATE}`] = {
        id: MANDATE,
        status: 'active',
        scheme: 'sepa_core',
        next_possible_charge_date,
        reference: 'ACME',
        metadata: {},
        links: { customer_bank_account: 'BA1' },
      };
      return {
        settings: { webhook_secret: GOCARDLESS_SECRET, ...API_SETTINGS[name]?.(stub.apiBase) },
        providerMandateId: MANDATE,
        debits: () => stub.debits.size,
        loseAnswer: () => (stub.losesAnswer = true),
        close: async () => stub.close(),
      };
    },
  };
}

/** Each provider of ours, as the contract is told of it. @param folder for the certificates of PayPal */
export async function providerTrials(
  folder: string,
  over: Partial<GatewayContractOptions> = {},
): Promise<{ name: string; options: GatewayContractOptions }[]> {
  const environment = 'sandbox';
  const files = await createPayPalDemoCertificates({ folder, environment, now: NOW });
  const payPal = settingsOfPayPal(files);
  return providers.map(({ name }) => {
    const settings = name === 'paypal' ? payPal : (SETTINGS[name] ?? {});
    const api = API_SETTINGS[name];
    const refunds = refundsOf(name, settings);
    const mandates = mandatesOf(name, settings);
    return {
      name,
      options: {
        settings,
        now: NOW,
        sign: (body) => signedAgain(name, body, folder),
        refusedCurrencies: REFUSED_CURRENCIES[name] ?? [],
        events: EVENTS[name] ?? {},
        paymentId: (text) => paymentIdAt(name, text),
        bodies: NAMING[name] ?? [],
        // The certificate's address is a hint, not signed.
        ...(name === 'paypal' && { unsignedHeaders: ['paypal-cert-url'] }),
        // Its signatures stand in the body, and cover some fields of it.
        ...(name === 'adyen' && { signsFields: { sign: signedInside, unsigned: ['paidAt'] } }),
        ...(api && { api: { settings: api } }),
        ...(refunds && { refunds }),
        ...(mandates && { mandates }),
        ...over,
      },
    };
  });
}
