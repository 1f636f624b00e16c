import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Money } from '../../kernel/money.js';
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

/** A completed capture, as an event. @param time ISO 8601 */
export function demoPaidEvent(link: { id: string; amount: Money }, time: string) {
  return {
    id: `WH-${randomBytes(9).toString('hex').toUpperCase()}`,
    event_version: '1.0',
    create_time: time,
    resource_type: 'capture',
    resource_version: '2.0',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: {
      id: randomBytes(9).toString('hex').toUpperCase().slice(0, 17),
      status: 'COMPLETED',
      amount: { currency_code: link.amount.currency, value: link.amount.toDecimalString() },
      custom_id: link.id,
      create_time: time,
      update_time: time,
    },
  };
}
