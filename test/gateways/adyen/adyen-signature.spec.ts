import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Money } from '../../../src/kernel/money.js';
import { type Gateway, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import {
  adyenWithoutKey,
  aLaterItem,
  anItem,
  aWebhook,
  type Item,
  official,
  PSP,
  readAll,
  readItem,
  withSignature,
} from './adyen-objects.js';
import { ADYEN_BASIC, ADYEN_KEY, LINK, NOW } from '../gateway-builders.js';

const OTHER_KEY = 'AB'.repeat(32);

const verdict = async (
  gateway: Gateway,
  body: string,
  headers: Record<string, string | string[]> = {},
) =>
  gateway.verify({ rawBody: Buffer.from(body), headers }).then(
    () => 'verified',
    (error: unknown) => (error instanceof InvalidSignature ? 'refused' : error),
  );
const withGiven = (hmacSignature: unknown): string =>
  aWebhook([{ ...anItem(), additionalData: { hmacSignature } }]);

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const refusedFor = async (reason: unknown) =>
  readItem(anItem({ success: 'false', reason })) as Promise<{ reason: string }>;

describe('signature', () => {
  it("is that of Adyen's own package, and the other way round", async () => {
    expect(await verdict(adyenWithoutKey(), aWebhook([withSignature(anItem())]))).toBe('verified');
    const sample = adyenWithoutKey().samplePaidDelivery(
      { id: LINK, amount: Money.of(1250n, 'EUR') },
      NOW,
    );
    const [item] = (
      JSON.parse(sample.body) as {
        notificationItems: { NotificationRequestItem: { additionalData: object } }[];
      }
    ).notificationItems;
    expect(official.validateHMAC(item?.NotificationRequestItem as never, ADYEN_KEY)).toBe(true);
  });

  it('is checked for every item, before one of them is read', async () => {
    const good = withSignature(anItem());
    const bad = { ...withSignature(anItem()), success: 'false' };
    for (const items of [[good, bad], [bad, good], [good, anItem()], [bad]]) {
      expect(await verdict(adyenWithoutKey(), aWebhook(items))).toBe('refused');
    }
    expect(await verdict(adyenWithoutKey(), aWebhook([good, good]))).toBe('verified');
  });

  it('may be by either key while it is rotated', async () => {
    const both = adyenWithoutKey({ webhook_secret: `${OTHER_KEY},${ADYEN_KEY}` });
    const [old, fresh] = [withSignature(anItem()), withSignature(anItem(), OTHER_KEY)];
    expect(await verdict(both, aWebhook([old, fresh]))).toBe('verified');
    expect(await verdict(adyenWithoutKey(), aWebhook([fresh]))).toBe('refused');
  });

  it('is refused if it is missing, of another form, or other base64 of the same bytes', async () => {
    const right = String(withSignature(anItem()).additionalData?.['hmacSignature']);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const last = alphabet[alphabet.indexOf(right.at(-2) ?? '') ^ 1];
    const same = `${right.slice(0, -2)}${last}=`;
    expect(Buffer.from(same, 'base64')).toEqual(Buffer.from(right, 'base64'));
    const wrong = [
      undefined,
      null,
      '',
      7,
      [right],
      { right },
      same,
      right.slice(0, -1),
      `${right}=`,
      ` ${right}`,
      right.toLowerCase(),
      // The same bytes in Latin-1, which cuts them.
      String.fromCodePoint((right.codePointAt(0) ?? 0) + 256) + right.slice(1),
      Buffer.from(right, 'base64').toString('hex'),
      Buffer.alloc(32).toString('base64'),
    ];
    for (const each of wrong) {
      expect([each, await verdict(adyenWithoutKey(), withGiven(each))]).toEqual([each, 'refused']);
    }
    expect(await verdict(adyenWithoutKey(), withGiven(right))).toBe('verified');
    const unsigned = aWebhook([{ ...anItem(), additionalData: undefined }]);
    expect(await verdict(adyenWithoutKey(), unsigned)).toBe('refused');
  });

  it.each<[keyof Item, unknown]>([
    ['pspReference', 'AAAAAAAAAAAAAAAA'],
    ['originalReference', 'AAAAAAAAAAAAAAAA'],
    ['merchantAccountCode', 'OtherMerchant'],
    ['merchantReference', LINK.replace('3', '4')],
    ['amount', { value: 1251, currency: 'EUR' }],
    ['amount', { value: 1250, currency: 'USD' }],
    ['eventCode', 'CAPTURE'],
    ['success', 'false'],
  ])('binds %s', async (field, value) => {
    const forged = { ...withSignature(anItem()), [field]: value };
    expect(await verdict(adyenWithoutKey(), aWebhook([forged]))).toBe('refused');
  });

  it('of one split of the fields is never good for another', async () => {
    // A payer of another shop in the account may choose such a reference.
    const reference = `a:${LINK}:999999:USD:AUTHORISATION:true`;
    const signed = withSignature(anItem({ merchantReference: reference }));
    const text = official.getDataToSign(signed as never).split(':');
    const { additionalData } = signed;
    const splits = splitsOf(text, 8);
    expect(splits).toHaveLength(792);
    const verified = [];
    for (const [psp, original, account, ref, value, currency, code, success] of splits) {
      const item = {
        pspReference: psp,
        originalReference: original,
        merchantAccountCode: account,
        merchantReference: ref,
        amount: { value: Number(value), currency },
        eventCode: code,
        success,
        additionalData,
      };
      if ((await verdict(adyenWithoutKey(), aWebhook([item]))) === 'verified') verified.push(ref);
    }
    expect(verified).toEqual([reference]);
  });

  it('with a colon or a backslash in the reference is good, and names no link', async () => {
    for (const merchantReference of [`${LINK}:x`, `x:${LINK}`, `${LINK}\\`, `a\\:b`, '::', '']) {
      expect(await readItem(anItem({ merchantReference }))).toMatchObject({
        kind: 'paid',
        linkId: null,
      });
    }
  });

  it('holds the user and the password as well, where they are set', async () => {
    const gateway = adyenWithoutKey(ADYEN_BASIC);
    const body = aWebhook([withSignature(anItem())]);
    const right = basic('adyen:of the tests');
    expect(await verdict(gateway, body, { authorization: right })).toBe('verified');
    for (const authorization of [
      basic('adyen:other'),
      basic('Adyen:of the tests'),
      right.replace('Basic', 'basic'),
      [right],
      `Bearer ${right.slice(6)}`,
    ]) {
      expect(await verdict(gateway, body, { authorization })).toBe('refused');
    }
    expect(await verdict(gateway, body)).toBe('refused');
    expect(await verdict(gateway, withGiven(''), { authorization: right })).toBe('refused');
  });
});

describe('unsigned fields decide about no money', () => {
  const signed = withSignature(aLaterItem('REFUND'));
  const read = (over: object, live: unknown = 'false') => {
    const rawBody = Buffer.from(aWebhook([{ ...signed, ...over }], live));
    const gateway = adyenWithoutKey({ environment: 'sandbox' });
    return gateway.parse({ rawBody, headers: {} })[0];
  };
  const { additionalData } = signed;

  it.each<[string, object]>([
    ['no time', { eventDate: undefined }],
    ['nonsense for a time', { eventDate: 'yesterday' }],
    ['a number for a time', { eventDate: 7 }],
    ['a day that is none', { eventDate: '2026-13-45T00:00:00Z' }],
    ['a time to come', { eventDate: '2099-01-01T00:00:00Z' }],
  ])('%s is now', (_what, over) => {
    expect(read(over)).toMatchObject({ kind: 'refund', at: NOW });
  });

  it('such as the payment method, the reason and all additional data', () => {
    const plain = read({});
    expect(plain).toMatchObject({ kind: 'refund', outcome: { status: 'succeeded' } });
    const changed = {
      paymentMethod: 'forged',
      reason: { not: 'text' },
      operations: ['CAPTURE'],
      additionalData: { ...additionalData, 'modification.action': 'cancel', paymentLinkId: 'x' },
    };
    expect(read(changed)).toEqual(plain);
  });

  it('a forged mode leaves the event itself to be booked', () => {
    const forged = read({}, 'true');
    expect(forged).toMatchObject({ kind: 'irrelevant', moved: { direction: 'out' } });
    expect(forged?.kind !== 'named' && forged?.eventId).not.toBe(
      (read({}) as { eventId: string }).eventId,
    );
  });

  it('the words of a reason become a short code', async () => {
    expect(await refusedFor('Not enough balance!')).toMatchObject({ reason: 'not_enough_balance' });
    expect(await refusedFor('\u0000<script>')).toMatchObject({ reason: 'script' });
    for (const reason of ['', undefined, 7, '\u{1F4A9}', 'x'.repeat(10_000)]) {
      expect(await refusedFor(reason)).toMatchObject({ reason: 'refused' });
    }
    expect((await refusedFor('long '.repeat(40))).reason).toHaveLength(64);
  });
});

describe('really signed nonsense', () => {
  const WRONG = ['', -1, 1.5, 1e300, 'zzz', '1e3', {}, [], null, '\u0000', true, '\ud800', 'a:b'];

  it('is refused, or is a report', async () => {
    const whole = aLaterItem('CHARGEBACK', { reason: 'x' });
    const codes = [
      'AUTHORISATION',
      'CAPTURE',
      'CAPTURE_FAILED',
      'CANCELLATION',
      'EXPIRE',
      'OFFER_CLOSED',
      'REFUND',
      'REFUND_FAILED',
      'CHARGEBACK',
      'SECOND_CHARGEBACK',
      'REPORT_AVAILABLE',
      'X',
    ];
    for (const eventCode of codes) {
      for (const field of Object.keys(whole)) {
        for (const value of WRONG) {
          const item = { ...whole, eventCode, [field]: value } as Item;
          const outcome = await readable(item);
          expect(['refused', 'a report']).toContain(outcome);
        }
      }
    }
  });

  it('never fails in another way, whatever the body is', async () => {
    const anyBody = fc.json().map((text) => Buffer.from(text));
    await fc.assert(
      fc.asyncProperty(anyBody, async (rawBody) => {
        const error: unknown = await adyenWithoutKey()
          .verify({ rawBody, headers: {} })
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(InvalidSignature);
      }),
    );
  });

  it('is not read without items, or with too many', async () => {
    const item = withSignature(anItem());
    for (const items of [[], Array.from({ length: 101 }, () => item)]) {
      expect(await verdict(adyenWithoutKey(), aWebhook(items))).toBe('refused');
    }
    expect(await verdict(adyenWithoutKey(), '{"notificationItems":{"length":1}}')).toBe('refused');
  });
});

describe('a batch', () => {
  it('has an event of its own for each item', async () => {
    const reports = await readAll([
      anItem(),
      anItem({ success: 'false' }),
      anItem({ amount: { value: 1300, currency: 'EUR' } }),
      aLaterItem('CHARGEBACK'),
      aLaterItem('CHARGEBACK', { pspReference: 'ANOTHERDISPUTE01' }),
      aLaterItem('CHARGEBACK_REVERSED'),
      aLaterItem('SECOND_CHARGEBACK'),
      aLaterItem('REFUND'),
    ]);
    expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(8);
    expect(reports[0]?.eventId).toBe(`${PSP}:AUTHORISATION:true:1250:EUR`);
    expect((await readAll([anItem({ eventDate: 'x', reason: 'y' })]))[0]?.eventId).toBe(
      reports[0]?.eventId,
    );
  });
});

async function readable(item: Item): Promise<string> {
  let signed: Item;
  try {
    signed = withSignature(item);
  } catch {
    return 'refused';
  }
  const rawBody = Buffer.from(aWebhook([signed]));
  try {
    const gateway = adyenWithoutKey();
    await gateway.verify({ rawBody, headers: {} });
    return gateway.parse({ rawBody, headers: {} }).length === 1 ? 'a report' : 'another number';
  } catch (error) {
    return error instanceof InvalidSignature ? 'refused' : String(error);
  }
}

/** Every way to put colons back so that `count` fields are left. */
function splitsOf(parts: readonly string[], count: number): string[][] {
  if (count === 1) return [[parts.join(':')]];
  return parts
    .slice(0, parts.length - count + 1)
    .flatMap((_part, end) =>
      splitsOf(parts.slice(end + 1), count - 1).map((rest) => [
        parts.slice(0, end + 1).join(':'),
        ...rest,
      ]),
    );
}
