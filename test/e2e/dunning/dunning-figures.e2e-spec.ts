import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import {
  aCustomer,
  anInvoiceDue,
  type DunningStage,
  dunningStage,
  plan,
  say,
} from './dunning-stage.js';

const STEPS = { business_steps: [{ days: 2 }, { days: 9, interest: true }], law: 'DE' };
const HOUR = 3600;

let stage: DunningStage;
let client: TestClient;
beforeAll(async () => {
  stage = await dunningStage('2026-03-01');
  client = await stage.service.aClient({ timeZone: 'Europe/Berlin' });
});
afterAll(() => stage.close());

async function secondsAt(instant: string): Promise<number> {
  stage.service.clock.set(instant);
  const { text } = await stage.service.metrics();
  return Number(/^dunning_due_seconds (\S+)$/m.exec(text)?.[1]);
}

describe('the age of the oldest reminder that is due', () => {
  it('begins with its day where the account is, and ends with the round', async () => {
    await plan(client, STEPS);
    const customer_id = await aCustomer(client);
    const late = await anInvoiceDue(client, '2026-03-10', { customer: undefined, customer_id });
    // Due on the 12th, which begins an hour before midnight.
    expect(await secondsAt('2026-03-11T22:59:00Z')).toBe(0);
    expect(await secondsAt('2026-03-12T01:00:00Z')).toBeCloseTo(2 * HOUR, -1);
    await stage.at('2026-03-12T01:00:00Z');
    expect(await secondsAt('2026-03-12T02:00:00Z')).toBe(0);
    // The next step is looked at again each day, and due on the 19th.
    await stage.at('2026-03-13T10:00:00Z');
    expect(await secondsAt('2026-03-18T22:00:00Z')).toBe(0);
    expect(await secondsAt('2026-03-20T23:00:00Z')).toBeCloseTo(48 * HOUR, -1);
    await say(client, late, { promised_until: '2026-03-25' });
    await stage.round('2026-03-20T23:00:00Z');
    expect(await secondsAt('2026-03-24T23:00:00Z')).toBe(0);
    expect(await secondsAt('2026-03-25T23:30:00Z')).toBeCloseTo(HOUR / 2, -1);
  });

  it('counts no time before a plan, and none of a clock of its own', async () => {
    stage.service.clock.set('2026-04-01T10:00:00Z');
    await stage.round();
    const other = await stage.service.aClient();
    await anInvoiceDue(other, '2026-04-02', {
      customer: undefined,
      customer_id: await aCustomer(other),
    });
    stage.service.clock.set('2026-04-20T10:00:00Z');
    await stage.round();
    await plan(other, { ...STEPS, due_from: '2026-01-01' });
    expect(await secondsAt('2026-04-20T11:00:00Z')).toBeCloseTo(HOUR, -1);
    await stage.round('2026-04-20T11:00:00Z');
    // A changed plan lets all be looked at again.
    await plan(other, { letters_by: 'customer' });
    expect(await secondsAt('2026-04-20T12:00:00Z')).toBeCloseTo(HOUR, -1);
    const own = { to: '2026-04-21T10:00:00Z' };
    await stage.round('2026-04-20T12:00:00Z');
    expect((await other.post('/v1/test-clock/advance', own)).status).toBe(200);
    // Its next step is due on the 27th of the server, and not yet on its own.
    expect(await secondsAt('2026-04-29T12:00:00Z')).toBe(0);
  });
});
