import { SignatureValidator } from 'mollie-api-typescript';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { signMollie } from '../../../src/gateways/mollie/mollie.gateway.js';
import { type Gateway, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { aGateway, LINK, MOLLIE_SECRET } from '../gateway-builders.js';
import {
  aChargeback,
  anEvent,
  aPayment,
  aRefund,
  gatewayAt,
  KEY,
  LATER,
  named,
  PAYMENT,
  UNAVAILABLE,
  withoutKey,
} from './mollie-objects.js';

const verdict = async (gateway: Gateway, body: string, signature?: string | string[]) =>
  gateway.verify({ rawBody: Buffer.from(body), headers: { 'x-mollie-signature': signature } }).then(
    () => 'verified',
    (error: unknown) => (error instanceof InvalidSignature ? 'refused' : error),
  );
describe('signature', () => {
  const body = anEvent('payment.paid', aPayment());
  const sign = async (secret = MOLLIE_SECRET, text = body) =>
    SignatureValidator.createSignature(text, secret);

  it("is that of Mollie's own package, and the other way round", async () => {
    const hex = await sign();
    expect(await verdict(withoutKey(), body, `sha256=${hex}`)).toBe('verified');
    expect(await verdict(withoutKey(), body, hex)).toBe('verified');
    const ours = signMollie(MOLLIE_SECRET, body)['x-mollie-signature'] ?? '';
    expect(await SignatureValidator.validate(body, MOLLIE_SECRET, ours)).toBe(true);
  });

  it('may be of either secret while it is rotated, on both sides', async () => {
    const both = withoutKey({ webhook_secret: `new,${MOLLIE_SECRET}` });
    const [fresh, old] = [await sign('new'), await sign()];
    for (const each of [fresh, old, `sha256=${old}, sha256=${fresh}`, `${fresh},${old}`]) {
      expect(await verdict(both, body, each)).toBe('verified');
      expect(await verdict(withoutKey({ webhook_secret: 'other' }), body, each)).toBe('refused');
    }
    expect(await verdict(withoutKey(), body, `sha256=${old}, sha256=${fresh}`)).toBe('verified');
  });

  it('is refused if it is missing, wrong, doubled, or one of three', async () => {
    const hex = await sign();
    const other = await sign('other');
    const wrong = [
      undefined,
      '',
      other,
      hex.toUpperCase(),
      `sha512=${hex}`,
      `sha256=sha256=${hex}`,
      `${hex}, ${hex}`,
      `sha256=${hex}, ${hex}`,
      `${hex}, ${other}, ${'0'.repeat(64)}`,
      `${hex}\n`,
      [hex],
      hex.slice(0, 63),
      `${hex}0`,
    ];
    for (const each of wrong) {
      expect([each, await verdict(withoutKey(), body, each)]).toEqual([each, 'refused']);
    }
  });

  it('is of the bytes: the same event written again is refused', async () => {
    const again = JSON.stringify(JSON.parse(body), null, 1);
    expect(await verdict(withoutKey(), again, await sign())).toBe('refused');
  });

  it('cannot be verified without a secret', async () => {
    const gateway = aGateway('mollie', KEY);
    expect(await verdict(gateway, body, await sign())).toBe('refused');
    expect(await verdict(gateway, body, await sign(' '))).toBe('refused');
  });
});

const parse = (body: string, signature?: string) =>
  withoutKey().parse({
    rawBody: Buffer.from(body),
    headers: { 'x-mollie-signature': signature },
  });

describe('classic webhook', () => {
  it('names a payment, and says no more', async () => {
    expect(await verdict(withoutKey(), `id=${PAYMENT}`)).toBe('verified');
    expect(parse(`id=${PAYMENT}`)).toEqual([named()]);
  });

  it.each([
    'id=',
    'id=tr_',
    'id=tr_a/../../x',
    'id=tr_abcd%2f..',
    `id=${PAYMENT}\n`,
    `id=${PAYMENT}&id=tr_other`,
    `id=re_4qqhO89gsT`,
    `id=tr_${'a'.repeat(65)}`,
    `ID=${PAYMENT}`,
    `{"id":"${PAYMENT}"}`,
    'id=tr_\u00e4bcd',
  ])('is refused with another body: %j', async (body) => {
    expect(await verdict(withoutKey(), body)).toBe('refused');
  });

  it('with a bad signature is refused, also if it is a good name', async () => {
    expect(await verdict(withoutKey(), `id=${PAYMENT}`, '0'.repeat(64))).toBe('refused');
    expect(await verdict(withoutKey(), `id=${PAYMENT}`, '')).toBe('refused');
  });

  it('cannot be looked up without a key', () =>
    expect(withoutKey().lookUp(named())).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'gateway_key_missing',
    }));
});

describe('look-up', () => {
  it('asks for the payment with all that became of it', async () => {
    const { sent, gateway } = gatewayAt(() => Response.json(aPayment()));
    expect(await gateway.lookUp(named())).toEqual([
      {
        eventId: `${PAYMENT}:payment.paid`,
        eventType: 'payment.paid',
        fingerprint: null,
        kind: 'paid',
        linkId: LINK,
        providerObjectId: PAYMENT,
        providerPaymentId: PAYMENT,
        amount: Money.of(1250n, 'EUR'),
        fee: null,
        paidAt: new Date(LATER),
      },
    ]);
    expect(sent).toMatchObject([
      {
        method: 'GET',
        url: `https://api.mollie.com/v2/payments/${PAYMENT}?embed=refunds,chargebacks`,
        headers: { Authorization: 'Bearer test_hush' },
      },
    ]);
  });

  it('tells the payment first, then its refunds and chargebacks, each a state of its own', async () => {
    const _embedded = {
      refunds: [aRefund(), aRefund({ id: 're_other', status: 'queued', metadata: null })],
      chargebacks: [aChargeback()],
    };
    const { gateway } = gatewayAt(() => Response.json(aPayment({ _embedded })));
    const reports = await gateway.lookUp(named());
    expect(reports.map(({ kind, eventId }) => [kind, eventId])).toEqual([
      ['paid', `${PAYMENT}:payment.paid`],
      ['refund', 're_4qqhO89gsT:refund.refunded'],
      ['refund', 're_other:refund.queued'],
      ['dispute', 'chb_n9z0tp:chargeback.received'],
    ]);
  });

  it('leaves what it cannot read to a person, and tells the rest', async () => {
    const _embedded = { refunds: [{ id: 're_1', amount: 5 }], chargebacks: [{ id: 7 }] };
    const { gateway } = gatewayAt(() => Response.json(aPayment({ _embedded })));
    const reports = await gateway.lookUp(named());
    expect(reports.map(({ kind }) => kind)).toEqual(['paid', 'irrelevant', 'irrelevant']);
    expect(reports[1]).toMatchObject({ review: expect.any(String), moved: { reference: 're_1' } });
  });

  it('learns nothing from an unknown id that anybody may have sent', async () => {
    const { gateway } = gatewayAt(() => Response.json({ status: 404 }, { status: 404 }));
    expect(await gateway.lookUp(named())).toEqual([]);
  });

  it('wants an unknown id that Mollie signed again: the key is of another account', async () => {
    const { gateway } = gatewayAt(() => Response.json({ status: 404 }, { status: 404 }));
    await expect(gateway.lookUp(named({ isSigned: true }))).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['a network failure', () => Promise.reject(new Error('hush'))],
    ...[302, 400, 401, 403, 422, 429, 500, 503].map((status): [string, () => Response] => [
      String(status),
      () => Response.json({ status }, { status }),
    ]),
    ['an answer that is no JSON', () => new Response('<html>')],
    ['an answer that is no payment', () => Response.json({ id: PAYMENT })],
    ['another payment', () => Response.json(aPayment({ id: 'tr_another' }))],
    ['a status nobody knows', () => Response.json(aPayment({ status: 'teleported' }))],
  ])('is undecided after %s', async (_what, answer) => {
    const { gateway } = gatewayAt(answer);
    await expect(gateway.lookUp(named())).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is made twice for a hundred calls that name the same payment', async () => {
    const { sent, gateway } = gatewayAt(() => Response.json(aPayment()));
    const all = await Promise.all(Array.from({ length: 100 }, () => gateway.lookUp(named())));
    expect(new Set(all.map((reports) => reports.length))).toEqual(new Set([1]));
    expect(sent).toHaveLength(2);
  });
});
