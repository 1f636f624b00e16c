import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InvalidSignature } from '../../payments/index.js';
import { PayPalCertificates, readCertificates } from './paypal-certificates.js';
import { ApiBase } from '../provider-settings.js';
import { type GatewayContext, type SettingKinds, SettingRefused, unsafeBase } from '../provider.js';

export const payPalSettings = z
  .strictObject({
    /** Ours, from PayPal's dashboard: part of what is signed, and never sent along. */
    webhook_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not a PayPal webhook id'),
    environment: z.enum(['live', 'sandbox']).default('live'),
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
    api_base: ApiBase.optional(),
    certificates: z.string().min(1).optional(),
    anchors: z.string().min(1).optional(),
    demo_key: z.string().min(1).optional(),
  })
  .refine(({ client_id: id, client_secret: secret }) => !secret === !id, {
    path: ['client_secret'],
    message: 'and the CLIENT_ID belong together; set both or none',
  });

export type PayPalSettings = z.infer<typeof payPalSettings>;

export const payPalSettingKinds: SettingKinds<PayPalSettings> = {
  webhook_id: 'shown',
  environment: 'shown',
  client_id: 'shown',
  client_secret: 'secret',
  api_base: 'host',
  certificates: 'file',
  anchors: 'file',
  demo_key: 'file',
};

export function apiBaseOf({ api_base: base, environment }: PayPalSettings): string {
  if (base) return base;
  return environment === 'live' ? 'https://api-m.paypal.com' : 'https://api-m.sandbox.paypal.com';
}

/** Only a checksum of what PayPal reports is signed, so production has to be able to ask. */
export function unsafePayPal(settings: PayPalSettings): SettingRefused[] {
  const forTests = (['anchors', 'demo_key'] as const).filter((name) => settings[name]);
  return [
    ...unsafeBase(apiBaseOf(settings)),
    ...forTests.map((name) => new SettingRefused(name, 'is refused in production')),
    ...(settings.client_id
      ? []
      : [new SettingRefused('client_id', 'is required in production, to look payments up')]),
  ];
}

/** @throws SettingRefused when a file is unreadable, or holds what is no certificate for this */
export function payPalTrust(
  settings: PayPalSettings,
  context: GatewayContext,
): { certificates: PayPalCertificates; known: readonly X509Certificate[] } {
  const { environment } = settings;
  const known = certificatesIn(settings, 'certificates');
  const anchors = certificatesIn(settings, 'anchors');
  try {
    const trust = { environment, certificates: known, anchors };
    return { known, certificates: new PayPalCertificates(trust, context.clock, context.fetch) };
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    throw new SettingRefused('certificates', `is refused: ${error.reason}`);
  }
}

/** The key of a demo certificate, to sign samples with. */
export function demoKey(
  settings: PayPalSettings,
  known: readonly X509Certificate[],
): KeyObject | undefined {
  const { demo_key: path } = settings;
  if (!path) return undefined;
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch {
    throw new SettingRefused('demo_key', 'names no readable PEM file with a private key');
  }
  const publicKey = createPublicKey(key);
  if (!known.some((certificate) => certificate.publicKey.equals(publicKey))) {
    throw new SettingRefused('demo_key', 'belongs to none of the CERTIFICATES');
  }
  return key;
}

function certificatesIn(
  settings: PayPalSettings,
  setting: 'certificates' | 'anchors',
): X509Certificate[] {
  const path = settings[setting];
  if (!path) return [];
  let pem: string;
  try {
    pem = readFileSync(path, 'latin1');
  } catch {
    throw new SettingRefused(setting, 'names a file that cannot be read');
  }
  const certificates = readCertificates(pem);
  if (!certificates)
    throw new SettingRefused(setting, 'names a file without readable certificates');
  return certificates;
}
