import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyEvents } from '../../feed/copies.js';
import { MailCatcher } from '../../support/mail-catcher.js';
import { tries } from '../../support/share.js';
import { FROM } from '../mail/mail-calls.js';
import { startRefundService } from '../payments/refund-calls.js';
import type { Scene } from './event-scenes.js';

let scene: Scene;

beforeAll(async () => {
  const catcher = await MailCatcher.start();
  const mail = { url: catcher.url, from: FROM, dkim: null };
  const deliveryRetrySeconds = Array.from({ length: 20 }, () => 0.2);
  const world = await startRefundService({ mail, sendsEvents: true, deliveryRetrySeconds });
  scene = { ...world, catcher };
}, 120_000);
afterAll(async () => {
  await scene.close();
  await scene.catcher.stop();
});

// A share of `npm run feed:copies`.
it('a poller and a receiver that read nothing but events have the same copies as the lists', async () => {
  const copied = await copyEvents(scene, {
    seed: 7,
    events: tries({ pushed: 100, full: 10_000 }),
    failsOneIn: 4,
  });
  expect(copied).toMatchObject({ uncaused: [], refused: [], differences: [] });
}, 1_200_000);
