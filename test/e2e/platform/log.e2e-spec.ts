import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/platform/observability/log.js';
import { startTestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Tokens, secrets and signatures never reach the log.

describe('the log', () => {
  it('names client and account as the API spells them', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const logged = await startTestService({ log });
    try {
      const caller = await logged.aClient();
      const { id } = await caller.anInvoice();
      await caller.get(`/v1/finance/documents/${id}`);
      await logged.call('/v1/finance/documents');
      const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const of = (status: number) => requests.find((one) => one['status'] === status);
      expect(of(201)).toMatchObject({ client: caller.id, account: caller.accountId });
      expect(of(401)).not.toHaveProperty('account');
    } finally {
      await logged.close();
    }
  });

  it('holds no secret, whatever happens', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => void lines.push(line) });
    const logged = await startTestService({ log });
    try {
      const caller = await logged.aClient();
      const bearer = await caller.bearer();
      const answer = await logged.call<{ refresh_token: string; access_token: string }>(
        '/v1/auth/token',
        { method: 'POST', body: { client_id: caller.id, client_secret: caller.secret } },
      );
      const basic = Buffer.from(`${caller.id}:${caller.secret}`).toString('base64');
      const wrong = { method: 'POST', headers: { authorization: `Basic ${basic}x` } };
      await logged.call(`/v1/auth/token?client_secret=${caller.secret}`, wrong);
      const invoice = await caller.anInvoice();
      const key = 'a key of the caller';
      await caller.pay(invoice, {}, { 'Idempotency-Key': key });
      const portal = await caller.aPortalToken(invoice);
      const link = await caller.aPaymentLink(invoice, { amount: 100 });
      const delivery = logged.paidDelivery(link);
      await logged.deliverPaid(link);
      const forged = { ...delivery.headers, 'stripe-signature': 't=1,v1=feedfacefeedface' };
      const webhook = { method: 'POST', body: delivery.body, headers: forged };
      await logged.call('/v1/webhooks/gateway-a', webhook);
      await logged.call(`/v1/portal/${portal}`);
      await logged.call(`/v1/portal/${portal}/nowhere`);
      await logged.call(`/v1/portal/${portal}%zz`);
      await logged.call(`/v1/portal/${portal}/reject`, { method: 'PUT' });
      await logged.call(`/v1/portal/${portal}/reject`, { method: 'POST', body: { reason: 'No' } });
      // And when everything breaks, with the error's own words in the log.
      await logged.database.query(`ALTER TABLE refresh_tokens RENAME TO lost_refresh_tokens;
        ALTER TABLE portal_tokens RENAME TO lost_portal_tokens;
        ALTER TABLE idempotency_keys RENAME TO lost_idempotency_keys`);
      const { refresh_token: refresh, access_token: access } = answer.body;
      const broken = [
        await logged.call('/v1/auth/token', {
          method: 'POST',
          body: {
            grant_type: 'refresh_token',
            refresh_token: refresh,
            client_id: caller.id,
            client_secret: caller.secret,
          },
        }),
        await logged.call(`/v1/portal/documents/${portal}/pdf`),
        await caller.pay(invoice, {}, { 'Idempotency-Key': key }),
      ];
      expect(broken.map(({ status }) => status)).toEqual([503, 503, 503]);
      for (const problem of broken) expectProblem(problem, 503, 'database_unavailable');
      expect(broken.map(({ text }) => text).join('')).not.toMatch(/relation|SELECT|at \w+ \(/);

      const text = lines.join('');
      expect(text).toContain('"route":"/v1/portal/:token/reject"');
      expect(text).toContain('the database failed a request');
      const signature = /v1=([0-9a-f]{64})/.exec(delivery.headers['stripe-signature'] ?? '')?.[1];
      const secrets = { bearer, refresh, access, portal, basic, signature, secret: caller.secret };
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, text.includes(secret ?? name)]).toEqual([name, false]);
      }
      expect(text).not.toContain('feedfacefeedface');
      expect(text).not.toContain(logged.config.secrets[0]);
      expect(text).not.toMatch(/Bearer ey|Basic [A-Za-z0-9]{8}|whsec_/);
    } finally {
      await logged.close();
    }
  });
});
