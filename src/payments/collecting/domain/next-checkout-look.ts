import { paymentLinkStatus, type PaymentLink } from './payment-link.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than a payer may dispute a payment. */
const WATCHED_MS = 180 * DAY_MS;

/**
 * When a pay page is to be looked up again, if no event tells of it before. The waits grow with the
 * time since anything happened, so most of what is told at all is told soon. Null is never: nothing more
 * comes of it.
 */
export function nextCheckoutLook(link: PaymentLink, now: Date, firstSeconds: number): Date | null {
  const status = paymentLinkStatus(link, now);
  const isWaiting = status !== 'paid' && status !== 'failed';
  const next = afterGrowingWait(link, now, firstSeconds, isWaiting ? 6 * HOUR_MS : WATCHED_MS);
  const { expiresAt } = link;
  return next && status === 'open' && expiresAt < next ? expiresAt : next;
}

/** After a look-up that failed: as much later as it has been waited for. */
export function checkoutLookAfterFailure(
  link: PaymentLink,
  now: Date,
  firstSeconds: number,
): Date | null {
  return afterGrowingWait(link, now, firstSeconds, DAY_MS);
}

/** As long again as nothing has happened, within these bounds; null when that is too long ago. */
function afterGrowingWait(
  link: PaymentLink,
  now: Date,
  firstSeconds: number,
  longestMs: number,
): Date | null {
  const quietMs = now.getTime() - lastChange(link);
  if (quietMs > WATCHED_MS) return null;
  return new Date(now.getTime() + Math.max(Math.min(quietMs, longestMs), firstSeconds * 1000));
}

function lastChange(link: PaymentLink): number {
  const { createdAt, processingAt, paidAt, failedAt, canceledAt } = link;
  const times = [createdAt, processingAt, paidAt, failedAt, canceledAt];
  return Math.max(...times.map((time) => time?.getTime() ?? 0));
}
