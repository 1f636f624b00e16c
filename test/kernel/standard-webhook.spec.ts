import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import {
  newStandardSecret,
  standardKeyOf,
  standardWebhookHeaders,
} from '../../src/kernel/standard-webhook.js';

const now = () => Math.floor(Date.now() / 1000);

describe('a signed delivery', () => {
  it('is the published vector', () => {
    const headers = standardWebhookHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each(['{"id":"evt_1","n":"ü €"}', Buffer.from('{"bytes":true}')])(
    'is verified by the official package, and by that of Svix: %s',
    (body) => {
      const secrets = [newStandardSecret(), newStandardSecret()];
      const headers = standardWebhookHeaders({ id: 'evt_1', timestamp: now(), body, secrets });
      for (const secret of secrets) {
        expect(new Webhook(secret).verify(body, headers)).toBeTypeOf('object');
        expect(() => new SvixWebhook(secret).verify(body, headers)).not.toThrow();
      }
      const other = new Webhook(newStandardSecret());
      expect(() => other.verify(body, headers)).toThrow('No matching signature found');
      const others = new SvixWebhook(newStandardSecret());
      expect(() => others.verify(body, headers)).toThrow('No matching signature found');
      const moved = { ...headers, 'webhook-id': 'evt_2' };
      expect(() => new Webhook(secrets[0] ?? '').verify(body, moved)).toThrow();
    },
  );

  it.each([[[]], [['whsec_']], [['whsec_AAAA']], [[newStandardSecret(), 'secret']]])(
    'needs secrets: %s',
    (secrets) => {
      const sent = { id: 'evt_1', timestamp: 1, body: '{}', secrets };
      expect(() => standardWebhookHeaders(sent)).toThrow('whsec_');
    },
  );
});

it('makes secrets of 24 bytes, none of them twice', () => {
  const keys = [newStandardSecret(), newStandardSecret()].map((secret) => standardKeyOf(secret));
  expect(keys.map((key) => key?.length)).toEqual([24, 24]);
  expect(keys[0]).not.toEqual(keys[1]);
});
