import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { shareTestServer } from '../support/database-server.js';
import { MailCatcher } from '../support/mail-catcher.js';
import { PatientCaller } from './patient-caller.js';
import { Supervised } from './supervised.js';

// npm run faults:mail                              1,000 facts and 20 kills, some ten minutes
// npm run faults:mail -- --facts 100 --kills 3

/*
 * Invoices are issued and paid while the service is killed over and over. Each fact wants a message;
 * in the end the mail server has one of each, by its Message-ID.
 */

const CALLERS = 6;
const PAUSE_MS = 100;
/** A message that a killed process had is taken up again after three minutes. */
const PATIENCE_MS = 600_000;
const FROM = 'billing@quittance.example';

const { values } = parseArgs({
  options: {
    facts: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
  },
});
const [facts, kills] = [values.facts, values.kills].map(Number) as [number, number];

const server = await shareTestServer();
const catcher = await MailCatcher.start();
const service = await Supervised.start({
  QUITTANCE_RATE_LIMIT: 'off',
  QUITTANCE_LOG_LEVEL: 'error',
  QUITTANCE_MAIL_SECONDS: '1',
  // All facts are of one customer, and of one day.
  QUITTANCE_MAIL_RECIPIENT_LIMIT: '1000000',
  QUITTANCE_MAIL_ACCOUNT_LIMIT: '1000000',
  QUITTANCE_SMTP_URL: catcher.url,
  QUITTANCE_MAIL_FROM: FROM,
});
try {
  const caller = await PatientCaller.of(service);
  await caller.call('PATCH', '/v1/finance/mail-settings', {
    send_documents: true,
    send_receipts: true,
  });
  let made = 0;
  const work = Array.from({ length: CALLERS }, async () => {
    while (made < facts / 2) {
      made += 1;
      const invoice = await caller.call('POST', '/v1/finance/documents', anInvoice(made));
      const payment = { amount: 11_900, method: 'cash' };
      await caller.call('POST', `/v1/finance/documents/${invoice['id']}/payments`, payment);
    }
  });
  const done = Promise.all(work);
  for (let kill = 0; kill < kills; kill += 1) {
    const goal = ((kill + 1) * facts) / (kills + 1);
    while (catcher.mails.length < goal && (await isWaiting(caller))) await sleep(PAUSE_MS);
    await service.kill();
    await service.untilReady();
  }
  await done;
  const until = Date.now() + PATIENCE_MS;
  while ((await isWaiting(caller)) && Date.now() < until) await sleep(1000);
  // The last facts are read a second later.
  await sleep(5000);
  while ((await isWaiting(caller)) && Date.now() < until) await sleep(1000);
  process.exitCode = judged(made * 2) ? 0 : 1;
} finally {
  await service.stop();
  await catcher.stop();
  await service.place.remove();
  await server.stop();
}

function judged(wanted: number): boolean {
  const ids = catcher.mails.map(({ messageId }) => messageId);
  const subjects = new Map<string, Set<string>>();
  for (const { subject = '', messageId = '' } of catcher.mails) {
    subjects.set(subject, (subjects.get(subject) ?? new Set()).add(messageId));
  }
  const doubled = [...subjects.values()].filter((of) => of.size > 1).length;
  const repeated = ids.length - new Set(ids).size;
  console.log(`${wanted} facts, ${kills} kills`);
  console.log(
    `messages: ${new Set(ids).size}, lost: ${wanted - subjects.size}, doubled: ${doubled}`,
  );
  console.log(`sent again by the same Message-ID, after a kill in between: ${repeated}`);
  return subjects.size === wanted && doubled === 0 && repeated <= kills * 4;
}

function anInvoice(index: number) {
  return {
    customer: { name: `Client ${index}`, email: `client${index}@globex.example` },
    lines: [{ description: 'Work', quantity: '1', unit_amount: 10_000, tax_rate: '19' }],
    issue: true,
  };
}

async function isWaiting(caller: PatientCaller): Promise<boolean> {
  const list = await caller.call('GET', '/v1/finance/messages?status=queued&limit=1');
  const sent = catcher.mails.length;
  return (list['data'] as object[]).length > 0 || sent === 0;
}
