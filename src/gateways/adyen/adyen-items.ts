import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { InvalidSignature } from '../../payments/index.js';
import { readJson, sameBytes } from '../signed-body.js';
import { AdyenAmount } from './adyen-amount.js';

/** Adyen sends up to six. */
const ITEMS_LIMIT = 100;
/** No colon: it parts the signed fields, and Adyen does not escape it. */
const PspReference = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

const Item = z.object({
  pspReference: PspReference,
  originalReference: z
    .union([z.literal(''), PspReference])
    .nullish()
    .transform((reference) => reference ?? ''),
  merchantAccountCode: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,100}$/),
  /** The only signed field with any text. All others have no colon, so it is where it was signed. */
  merchantReference: z
    .string()
    .max(255)
    .nullish()
    .transform((reference) => reference ?? ''),
  amount: AdyenAmount,
  eventCode: z.string().regex(/^[A-Z0-9_]{1,64}$/),
  success: z.enum(['true', 'false']),
  /** From here on, nothing is signed. */
  eventDate: z.unknown().optional(),
  reason: z.unknown().optional(),
  additionalData: z
    .object({
      hmacSignature: z.unknown().optional(),
      chargebackReasonCode: z.unknown().optional(),
      defensePeriodEndsAt: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
});
const Notification = z.object({
  live: z.unknown().optional(),
  notificationItems: z
    .array(z.object({ NotificationRequestItem: Item }))
    .min(1)
    .max(ITEMS_LIMIT),
});

/** docs.adyen.com/api-explorer/Webhooks: one event of a standard webhook. */
export type AdyenItem = z.infer<typeof Item>;
type SignedFields = Pick<
  AdyenItem,
  | 'pspReference'
  | 'originalReference'
  | 'merchantAccountCode'
  | 'merchantReference'
  | 'amount'
  | 'eventCode'
  | 'success'
>;

/** @throws InvalidSignature when it is no standard webhook */
export function adyenItems(rawBody: Buffer): { live: unknown; items: readonly AdyenItem[] } {
  const { live, notificationItems } = readJson(rawBody, Notification);
  return { live, items: notificationItems.map((one) => one.NotificationRequestItem) };
}

/** @throws InvalidSignature unless one of the keys made the item's own signature */
export function verifyAdyenItem(keys: readonly string[], item: AdyenItem): void {
  const given = item.additionalData?.hmacSignature;
  if (typeof given !== 'string') throw new InvalidSignature('an item without a signature');
  // As text: other base64 of the same bytes is not what Adyen sends.
  const matches = keys.some((key) =>
    sameBytes(Buffer.from(given, 'utf8'), Buffer.from(adyenSignature(key, item), 'utf8')),
  );
  if (!matches) throw new InvalidSignature('no signature of an item matches');
}

/** docs.adyen.com/development-resources/webhooks: by the hexadecimal key, over some of its fields. */
export function adyenSignature(key: string, item: SignedFields): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference } = item;
  const { amount, eventCode, success } = item;
  const signed = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(signed, 'utf8').digest('base64');
}
