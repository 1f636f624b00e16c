import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/platform/config/config.js';
import { PAYPAL_FOLDER } from '../../support/folders.js';
import { startTestService, type TestService } from '../../support/service.js';
import { adyenVoice } from './adyen.js';
import { goCardlessVoice } from './gocardless.js';
import { mollieVoice } from './mollie.js';
import { type Pages, startPages } from './pages.js';
import { payPalVoice } from './paypal.js';
import { razorpayVoice } from './razorpay.js';
import { sandboxVoice, standardVoice } from './standard.js';
import { stripeVoice } from './stripe.js';
import type { Voice } from './voice.js';

/** Gateways of these names are what the runs may choose from. */
export type Voices = ReadonlyMap<string, Voice>;

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ADYEN = {
  key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  account: 'TestMerchant',
  user: 'adyen',
  password: 'of the tests',
};
const WEBHOOK_ID = 'WH-PROOF';
const STRIPE_SECRET = 'whsec_of_the_proof';
/** A gateway that hears Stripe, and cannot ask it. */
export const DEAF_STRIPE = 'stripe-without-key';

function settingsOf(api_base: string): Record<string, Record<string, string>> {
  const { key, account, user, password } = ADYEN;
  return {
    stripe: { webhook_secret: STRIPE_SECRET, api_key: 'sk_proof', api_base },
    paypal: {
      environment: 'sandbox',
      webhook_id: WEBHOOK_ID,
      certificates: join(PAYPAL_FOLDER, 'certificates.pem'),
      anchors: join(PAYPAL_FOLDER, 'anchors.pem'),
      client_id: 'a',
      client_secret: 'b',
      api_base,
    },
    mollie: { webhook_secret: 'mollie_proof', api_key: 'test_proof', api_base },
    gocardless: { webhook_secret: 'gocardless_proof', access_token: 'proof', api_base },
    adyen: {
      webhook_secret: key,
      merchant_account: account,
      webhook_user: user,
      webhook_password: password,
      api_key: 'proof',
      api_base,
    },
    razorpay: {
      webhook_secret: 'razorpay_proof',
      key_id: 'rzp_test_proof',
      key_secret: 'proof',
      currency: 'EUR',
      api_base,
    },
    'standard-webhooks': { webhook_secret: SECRET },
    sandbox: { webhook_secret: SECRET },
  };
}

/** One service with a gateway of each provider, and the providers. */
export async function startWithAllProviders({ isDeafToo = false } = {}): Promise<{
  service: TestService;
  voices: Voices;
  close(): Promise<void>;
}> {
  const pages = await startPages();
  const gateways: Config['gateways'] = Object.entries(settingsOf(pages.apiBase)).map(
    ([name, settings]) => ({ name, provider: name, accounts: '*', settings }),
  );
  const settings = { webhook_secret: STRIPE_SECRET };
  const deaf = { name: DEAF_STRIPE, provider: 'stripe', accounts: '*' as const, settings };
  const service = await startTestService({ gateways: isDeafToo ? [...gateways, deaf] : gateways });
  const close = async () => {
    await service.close();
    await pages.close();
  };
  const voices = voicesOf(service, pages);
  const stripe = voices.get('stripe');
  if (isDeafToo && stripe) voices.set(DEAF_STRIPE, stripe);
  return { service, voices, close };
}

function voicesOf({ clock }: TestService, { objects }: Pages): Map<string, Voice> {
  const now = () => clock.now().getTime();
  const key = createPrivateKey(readFileSync(join(PAYPAL_FOLDER, 'leaf-key.pem')));
  return new Map<string, Voice>([
    ['sandbox', sandboxVoice(SECRET, now)],
    ['stripe', stripeVoice(STRIPE_SECRET, now, objects)],
    ['paypal', payPalVoice({ key, webhookId: WEBHOOK_ID, now, objects })],
    ['mollie', mollieVoice('mollie_proof')],
    ['gocardless', goCardlessVoice('gocardless_proof', objects)],
    ['adyen', adyenVoice(ADYEN)],
    ['razorpay', razorpayVoice('razorpay_proof')],
    ['standard-webhooks', standardVoice(SECRET, now)],
  ]);
}

/** Only the sandbox, as any service of the tests has it. */
export function sandboxAlone({ clock, config }: TestService): Voices {
  const { settings } = config.gateways.find(({ name }) => name === 'sandbox')!;
  const now = () => clock.now().getTime();
  return new Map([['sandbox', sandboxVoice(String(settings['webhook_secret']), now)]]);
}
