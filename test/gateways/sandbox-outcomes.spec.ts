import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { SandboxBook } from '../../src/gateways/sandbox/sandbox-book.js';
import type { SandboxGateway } from '../../src/gateways/sandbox/sandbox.gateway.js';
import {
  SANDBOX_OUTCOME_NAMES,
  type SandboxOutcome,
  sandboxSendings,
} from '../../src/gateways/sandbox/sandbox-outcomes.js';
import { deliveredAs } from '../../src/testing/contract/contract-trial.js';
import { aGateway, clockAt, LINK, NOW, reportOf, SANDBOX_SECRET } from './gateway-builders.js';

const AMOUNT = Money.of(12_50n, 'EUR');
const DELAY_MS = 5000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-sandbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function gatewayAt(seconds = 0, settings: Record<string, string> = {}): SandboxGateway {
  const clock = clockAt(new Date(NOW.getTime() + seconds * 1000));
  const given = { webhook_secret: SANDBOX_SECRET, ...settings };
  return aGateway('sandbox', given, { clock, dataDir: folder }) as SandboxGateway;
}
const aPayment = (outcome: SandboxOutcome, linkId = LINK) =>
  gatewayAt().play(outcome, { linkId, amount: AMOUNT });
const page = (linkId: string) => ({
  linkId,
  providerObjectId: linkId,
  amount: AMOUNT,
  expiresAt: NOW,
});

describe('a choice', () => {
  it.each(SANDBOX_OUTCOME_NAMES)(
    '%s is told one delay after the other, signed',
    async (outcome) => {
      const { events } = aPayment(outcome);
      expect(events.map(({ at }) => at.getTime() - NOW.getTime())).toEqual(
        events.map((_, place) => place * DELAY_MS),
      );
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      for (const event of events) {
        const gateway = gatewayAt(3600);
        const delivery = deliveredAs(gateway.signedEvent(event));
        await gateway.verify(delivery);
        expect(reportOf(gateway, delivery)).toMatchObject({ eventId: event.id });
      }
    },
  );

  it('is looked up as far as it has happened, under the ids of its events', async () => {
    const payment = aPayment('dispute_lost');
    const { linkId } = payment;
    expect(await gatewayAt().lookUpCheckout(page(linkId))).toEqual([]);
    await new SandboxBook(folder).keep(payment);
    const told = async (seconds: number) =>
      (await gatewayAt(seconds).lookUpCheckout(page(linkId))).map(({ kind, eventId }) => [
        kind,
        eventId,
      ]);
    const [paid, opened, lost] = payment.events.map(({ id }) => id);
    expect(await told(0)).toEqual([['paid', paid]]);
    expect(await told(9)).toEqual([
      ['paid', paid],
      ['dispute', opened],
    ]);
    expect(await told(10)).toEqual([
      ['paid', paid],
      ['dispute', opened],
      ['dispute', lost],
    ]);
  });

  it('is told nothing of where no folder is given', async () => {
    const gateway = aGateway('sandbox', { webhook_secret: SANDBOX_SECRET });
    expect([gateway.tellsCheckouts, gatewayAt().tellsCheckouts]).toEqual([false, true]);
    expect(await gateway.lookUpCheckout(page(LINK))).toEqual([]);
  });

  it('has a token of its page and its gateway', () => {
    const gateway = gatewayAt();
    const token = gateway.pageToken('plink_1');
    const other = gatewayAt(0, {
      webhook_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const judged = [
      gateway.isPageToken('plink_1', token),
      gateway.isPageToken('plink_2', token),
      other.isPageToken('plink_1', token),
      gateway.isPageToken('plink_1', ''),
    ];
    expect(judged).toEqual([true, false, false, false]);
  });
});

describe('a payout', () => {
  it('is of the payment that was chosen, with its line', () => {
    const [paid, told] = aPayment('paid_out').events;
    const report = reportOf(gatewayAt(), deliveredAs(gatewayAt().signedEvent(told!)));
    expect(report).toMatchObject({
      kind: 'payout',
      status: 'sent',
      amount: AMOUNT,
      lines: [{ kind: 'payment', providerId: paid?.data['payment_id'], amount: AMOUNT }],
    });
  });
});

describe('the settings', () => {
  it('say how long a delay is', () => {
    const { events } = gatewayAt(0, { delay_seconds: '60' }).play('bounced', {
      linkId: LINK,
      amount: AMOUNT,
    });
    expect(events.map(({ at }) => at.getTime() - NOW.getTime())).toEqual([0, 60_000]);
  });

  it.each([
    ['delay_seconds', '0', 'has to be a whole number from 1 to 99999'],
    ['delay_seconds', '1e3', 'has to be a whole number from 1 to 99999'],
    ['delivery', 'at_once', 'has to be one of prompt, like_a_provider'],
  ])('refuse %s=%s', (name, value, reason) => {
    expect(() => gatewayAt(0, { [name]: value })).toThrow(reason);
  });
});

describe('like a provider', () => {
  const many = Array.from({ length: 300 }, (_, index) => {
    const payment = aPayment('dispute_won', `plink_${index}`);
    return sandboxSendings(payment, 'like_a_provider', DELAY_MS);
  });
  const share = (test: (of: (typeof many)[number]) => boolean) =>
    Math.round((many.filter(test).length / many.length) * 10) / 10;
  const dueOf = (of: (typeof many)[number], event: number) =>
    of.find((sending) => sending.event === event)?.due.getTime() ?? 0;

  it('sends every event, late, some of them twice, and some after the next', () => {
    for (const sendings of many) {
      expect(new Set(sendings.map(({ event }) => event))).toEqual(new Set([0, 1, 2]));
      for (const { event, due } of sendings) {
        const late = due.getTime() - NOW.getTime() - event * DELAY_MS;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThan(5 * DELAY_MS);
      }
    }
    const repeats = share((of) => of.filter(({ event }) => event === 1).length === 2);
    const overtaken = share((of) => dueOf(of, 0) > dueOf(of, 1));
    expect([repeats, overtaken]).toEqual([0.3, 0.3]);
  });

  it('does the same for the same link', () => {
    const payment = aPayment('dispute_won', 'plink_7');
    expect(sandboxSendings(payment, 'like_a_provider', DELAY_MS)).toEqual(many[7]);
  });

  it('is only where somebody turned it on', () => {
    const payment = aPayment('dispute_won');
    const due = (settings: Record<string, string>) => gatewayAt(0, settings).sendingsOf(payment);
    expect(due({})).toEqual(payment.events.map(({ at }, event) => ({ event, due: at, tries: 0 })));
    expect(due({ delivery: 'like_a_provider' })).toEqual(
      sandboxSendings(payment, 'like_a_provider', DELAY_MS),
    );
  });
});

describe('the book', () => {
  it('keeps the first choice of a link, however many come at once', async () => {
    const payments = SANDBOX_OUTCOME_NAMES.map((outcome) => aPayment(outcome));
    const kept = await Promise.all(payments.map((one) => new SandboxBook(folder).keep(one)));
    const found = await new SandboxBook(folder).find({ gateway: 'sandbox', linkId: LINK });
    expect(new Set(kept.map(({ outcome }) => outcome))).toEqual(new Set([found?.outcome]));
    expect(readdirSync(join(folder, 'sandbox', 'payments'))).toHaveLength(1);
  });

  it('knows what is still to be sent, of each payment', async () => {
    const book = new SandboxBook(folder);
    expect(await book.waiting()).toEqual([]);
    const named = { gateway: 'gw_1', linkId: LINK };
    const sendings = [{ event: 1, due: NOW, tries: 2 }];
    await book.plan(named, sendings);
    writeFileSync(join(folder, 'sandbox', 'sendings', 'draft-of-a-crash'), '{');
    expect(await new SandboxBook(folder).waiting()).toEqual([named]);
    expect(await book.sendingsOf(named)).toEqual(sendings);
    await book.plan(named, []);
    expect([await book.waiting(), await book.sendingsOf(named)]).toEqual([[], []]);
  });
});
