import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { openGateways, providers } from '../../src/gateways/configured-gateways.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { aContext, NOW, SETTINGS, settingsOfPayPal } from './gateway-builders.js';

export const PROVIDER_NAMES = providers.map(({ name }) => name);

/** Their signatures stand in the body, and cover some fields of it. */
export const SIGNS_FIELDS: ReadonlySet<string> = new Set(['adyen']);

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

/** All that a signature of fields covers of a report. */
export function meaningOf(report: ProviderReport): object {
  const { paidAt: _unsigned, ...rest } = { paidAt: null, ...report };
  return rest;
}
