import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { InvalidSignature } from '../../payments/index.js';
import { readJson, sameBytes } from '../signed-body.js';
import { AdyenAmount } from './adyen-amount.js';

/** Adyen sends up to six. */
const ITEMS_LIMIT = 100;
/** A signed field as it is signed: as text, and an absent one as none. */
const Text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)));
/** They are the last ones that are signed, so without a colon they are where they were signed. */
const OneWord = Text.pipe(z.string().regex(/^[^:]*$/));
const Signed = z.object({
  pspReference: Text,
  originalReference: Text,
  merchantAccountCode: Text,
  merchantReference: Text,
  amount: z
    .object({ value: Text, currency: Text })
    .nullish()
    .catch(null)
    .transform((amount) => amount ?? { value: '', currency: '' }),
  eventCode: OneWord,
  success: OneWord,
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
    .array(z.object({ NotificationRequestItem: Signed }))
    .min(1)
    .max(ITEMS_LIMIT),
});

const PspReference = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
const Amount = z.object({
  value: z
    .string()
    .regex(/^(?:0|-?[1-9]\d{0,15})$/)
    .transform(Number)
    .pipe(AdyenAmount.shape.value),
  currency: AdyenAmount.shape.currency,
});
const Item = Signed.extend({
  pspReference: PspReference,
  originalReference: z.union([z.literal(''), PspReference]),
  merchantAccountCode: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,100}$/),
  merchantReference: z.string().max(255),
  amount: Amount,
  eventCode: z.string().regex(/^[A-Z0-9_]{1,64}$/),
  success: z.enum(['true', 'false']),
});

/** An item as it was signed. Of what has no effect here, nothing more is asked. */
export type SignedItem = z.infer<typeof Signed>;
/** docs.adyen.com/api-explorer/Webhooks: one event of a standard webhook. */
export type AdyenItem = z.infer<typeof Item>;
type SignedFields = Pick<
  SignedItem,
  'pspReference' | 'originalReference' | 'merchantAccountCode' | 'merchantReference' | 'eventCode'
> & { amount: { value: unknown; currency: string }; success: string };

/** @throws InvalidSignature when it is no standard webhook */
export function adyenItems(rawBody: Buffer): { live: unknown; items: readonly SignedItem[] } {
  const { live, notificationItems } = readJson(rawBody, Notification);
  return { live, items: notificationItems.map((one) => one.NotificationRequestItem) };
}

/** The item, if its fields are of Adyen's form. */
export function readItem(item: SignedItem): AdyenItem | undefined {
  return Item.safeParse(item).data;
}

/** The amount of an item whose other fields may be of any form. */
export function amountOf({ amount }: SignedItem): AdyenAmount | undefined {
  return Amount.safeParse(amount).data;
}

/** A reference of Adyen's own; null for anything else. */
export function adyenReferenceOf(text: string): string | null {
  return PspReference.safeParse(text).data ?? null;
}

/**
 * Colons part the signed fields, and Adyen does not escape them. An item that is acted on may have
 * some in our own reference alone. So no signature speaks for fields that were cut elsewhere.
 * @param isActedOn false: it has no effect, however its fields are cut
 * @throws InvalidSignature unless one of the keys made the item's own signature
 */
export function verifyAdyenItem(
  keys: readonly string[],
  item: SignedItem,
  isActedOn: boolean,
): void {
  const { pspReference, originalReference, merchantAccountCode, amount } = item;
  const parted = [pspReference, originalReference, merchantAccountCode];
  if (isActedOn && [...parted, amount.value, amount.currency].some((one) => one.includes(':'))) {
    throw new InvalidSignature('a colon in a field of Adyen');
  }
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
