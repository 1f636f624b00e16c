import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { MadeUp } from '../../platform/config/gateway-config.js';

/** The demo's certificates are trusted only where the operator has named no others. */
export function demoSettings(given: Readonly<Record<string, string>>, made: MadeUp) {
  const ownTrust = given['certificates'] || given['anchors'] || given['environment'] === 'live';
  const folder = join(made.folder, 'paypal');
  return {
    environment: 'sandbox',
    webhook_id: made.secret('paypalWebhookId', () =>
      randomBytes(9).toString('hex').toUpperCase().slice(0, 17),
    ),
    ...(!ownTrust && {
      certificates: join(folder, 'certificates.pem'),
      anchors: join(folder, 'anchors.pem'),
      demo_key: join(folder, 'leaf-key.pem'),
    }),
  };
}
