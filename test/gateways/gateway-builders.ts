import { StandingClock } from '../../src/testing/test-clock.js';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/kernel/clock.js';
import type { CheckoutRequest } from '../../src/payments/port/domain/checkout.js';
import type { Delivery, Gateway } from '../../src/payments/port/domain/gateway.js';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { type OpenContext, openGateways } from '../../src/gateways/configured-gateways.js';
import { adyenSignature } from '../../src/gateways/adyen/adyen-items.js';
import { signGoCardless } from '../../src/gateways/gocardless/gocardless.gateway.js';
import { signMollie } from '../../src/gateways/mollie/mollie.gateway.js';
import { signPayPal } from '../../src/gateways/paypal/paypal.gateway.js';
import { signRazorpay } from '../../src/gateways/razorpay/razorpay.gateway.js';
import { signStandardWebhook } from '../../src/kernel/standard-webhook.js';
import { aCheckoutOf, TRIED_LINK } from '../../src/testing/contract/contract-trial.js';
import { signStripe } from '../../src/gateways/stripe/stripe.gateway.js';

/** Whole seconds: Stripe's events know no smaller unit. */
export const NOW = new Date('2026-11-20T12:00:00.000Z');
export const NOW_SECONDS = NOW.getTime() / 1000;
export const LINK = TRIED_LINK;
export const STRIPE_SECRET = 'whsec_test_secret';
export const MOLLIE_SECRET = 'mollie_test_secret';
export const ADYEN_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
export const ADYEN_ACCOUNT = 'TestMerchant';
export const ADYEN_BASIC = { webhook_user: 'adyen', webhook_password: 'of the tests' };
export const RAZORPAY_SECRET = 'razorpay_test_secret';
export const GOCARDLESS_SECRET = 'gocardless_test_secret';
export const SANDBOX_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Of every provider that needs no files. */
export const SETTINGS: Record<string, Record<string, string>> = {
  stripe: { webhook_secret: STRIPE_SECRET },
  mollie: { webhook_secret: MOLLIE_SECRET },
  gocardless: { webhook_secret: GOCARDLESS_SECRET },
  adyen: { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT, ...ADYEN_BASIC },
  razorpay: { webhook_secret: RAZORPAY_SECRET },
  sandbox: { webhook_secret: SANDBOX_SECRET },
  'standard-webhooks': { webhook_secret: SANDBOX_SECRET },
};

export function settingsOfPayPal(files: Record<'certificates' | 'anchors' | 'demoKey', string>) {
  const { certificates, anchors, demoKey: demo_key } = files;
  return { webhook_id: 'WH-1', environment: 'sandbox', certificates, anchors, demo_key };
}

export const aCheckoutRequest = (over: Partial<CheckoutRequest> = {}): CheckoutRequest =>
  aCheckoutOf(NOW, over);

export function clockAt(instant: Date): Clock {
  return new StandingClock(instant);
}

/** A context without network: a call that a test did not expect fails it. */
export function aContext(over: Partial<OpenContext> = {}): OpenContext {
  return {
    clock: clockAt(NOW),
    fetch: () => Promise.reject(new Error('no network in this test')),
    baseUrl: 'https://pay.example',
    production: false,
    ...over,
  };
}

export function aGateway(
  provider: string,
  settings: Record<string, string>,
  over: Partial<OpenContext> = {},
): Gateway {
  const gateway = openGateways([{ name: provider, provider, settings }], aContext(over)).get(
    provider,
  );
  if (!gateway) throw new Error(`${provider} did not open`);
  return gateway;
}

/** The one report of a delivery. */
export function reportOf(gateway: Gateway, delivery: Delivery): ProviderReport {
  const [report, ...others] = gateway.parse(delivery);
  if (!report || report.kind === 'named' || others.length > 0) throw new Error('not one report');
  return report;
}

/** Good headers for any body, from the signer beside each `verify`. */
export function signedAgain(
  provider: string,
  body: string | Buffer,
  payPalFolder: string,
): Record<string, string> {
  switch (provider) {
    case 'stripe':
      return { 'stripe-signature': signStripe(STRIPE_SECRET, NOW_SECONDS, body) };
    case 'mollie':
      return signMollie(MOLLIE_SECRET, body);
    case 'adyen': {
      const { webhook_user: user, webhook_password: password } = ADYEN_BASIC;
      return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    }
    case 'razorpay':
      return signRazorpay(RAZORPAY_SECRET, body);
    case 'gocardless':
      return signGoCardless(GOCARDLESS_SECRET, body);
    case 'standard-webhooks':
    case 'sandbox': {
      const key = Buffer.from(SANDBOX_SECRET.slice('whsec_'.length), 'base64');
      return signStandardWebhook([key], { id: 'msg_1', unixSeconds: NOW_SECONDS, body });
    }
    case 'paypal': {
      const key = createPrivateKey(readFileSync(join(payPalFolder, 'leaf-key.pem')));
      const time = NOW.toISOString();
      return signPayPal(key, { webhookId: 'WH-1', environment: 'sandbox', time, body });
    }
    default:
      throw new Error(`teach this test to sign for ${provider}`);
  }
}

/** Adyen's signatures stand in the body; each item that has a place for one gets its own. */
export function signedInside(body: string): string {
  try {
    const whole = JSON.parse(body) as { notificationItems: { NotificationRequestItem: never }[] };
    for (const { NotificationRequestItem: item } of whole.notificationItems) {
      const signed = item as { additionalData: { hmacSignature: string } };
      signed.additionalData.hmacSignature = adyenSignature(ADYEN_KEY, item);
    }
    return JSON.stringify(whole);
  } catch {
    return body;
  }
}

/** The body of a completed capture of 12.50 EUR; `over` goes into its resource. */
export function aPayPalEvent(over: object = {}): string {
  const resource = {
    id: '42311647XV020574X',
    status: 'COMPLETED',
    amount: { currency_code: 'EUR', value: '12.50' },
    custom_id: LINK,
    update_time: '2026-11-20T11:59:00Z',
    supplementary_data: { related_ids: { order_id: '5O190127TN364715T' } },
    ...over,
  };
  return JSON.stringify({
    id: 'WH-EVENT',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    create_time: '2026-11-20T11:59:30.123Z',
    resource,
  });
}
