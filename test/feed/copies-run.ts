import { parseArgs } from 'node:util';
import { FROM } from '../e2e/mail/mail-calls.js';
import { startRefundService } from '../e2e/payments/refund-calls.js';
import { shareTestServer } from '../support/database-server.js';
import { MailCatcher } from '../support/mail-catcher.js';
import { copyEvents } from './copies.js';

// npm run feed:copies -- --seed 1 --events 20000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    events: { type: 'string', default: '20000' },
  },
});
const server = await shareTestServer();
const catcher = await MailCatcher.start();
const mail = { url: catcher.url, from: FROM, dkim: null };
const retries = { deliveryRetrySeconds: Array.from({ length: 20 }, () => 0.2) };
const world = await startRefundService({ mail, sendsEvents: true, ...retries });
const startedMs = performance.now();
try {
  const copied = await copyEvents(
    { ...world, catcher },
    { seed: Number(values.seed), events: Number(values.events), failsOneIn: 4 },
    (sentence) => console.log(sentence),
  );
  const { events, uncaused, refused, differences } = copied;
  for (const one of refused) console.log(`not played: ${one}`);
  for (const one of [...uncaused, ...differences]) console.error(one);
  console.log(
    `${events} events, ${uncaused.length} types not caused, ${differences.length} differences, ` +
      `seed ${values.seed}, ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  );
  if (uncaused.length + differences.length > 0) process.exitCode = 1;
} finally {
  await world.close();
  await catcher.stop();
  await server.stop();
}
