import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { openGateways, providers } from '../../src/gateways/configured-gateways.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import { aContext, NOW, SETTINGS, settingsOfPayPal } from './gateway-builders.js';

export const PROVIDER_NAMES = providers.map(({ name }) => name);

/** One gateway of each provider, under its name. @param folder for the certificates of PayPal */
export async function openAllGateways(folder: string): Promise<Map<string, Gateway>> {
  const environment = 'sandbox';
  const files = await createPayPalDemoCertificates({ folder, environment, now: NOW });
  const settings: typeof SETTINGS = { ...SETTINGS, paypal: settingsOfPayPal(files) };
  const configs = PROVIDER_NAMES.map((name) => ({
    name,
    provider: name,
    settings: settings[name] ?? {},
  }));
  return openGateways(configs, aContext());
}

/** A payment's id as the provider writes it. */
export function paymentIdAt(provider: string, text: string): string {
  const prefixes: Record<string, string> = { mollie: 'tr_', razorpay: 'pay_', gocardless: 'PM' };
  return `${prefixes[provider] ?? 'P'}${text}`;
}
