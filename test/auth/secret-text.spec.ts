import { createHmac, createSecretKey } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newClientSecret, successorOf } from '../../src/auth/domain/secret-text.js';

const FORM = /^qtc_(?:live|test)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/** As docs/security.md tells a scanner to read it. */
const valueOf = (text: string) =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

describe('a secret of ours', () => {
  it.each(['qtc_live_', 'qtc_test_'] as const)('begins with %s and ends with its CRC', (prefix) => {
    const made = Array.from({ length: 200 }, () => newClientSecret(prefix));
    expect(new Set(made).size).toBe(200);
    for (const text of made) {
      const [, body = '', sum = ''] = FORM.exec(text) ?? [];
      expect([text.startsWith(prefix), valueOf(sum)]).toEqual([true, BigInt(crc32(body))]);
    }
  });

  it('has 32 random bytes: its highest digit is small, the others are not', () => {
    const made = Array.from({ length: 300 }, () => newClientSecret('qtc_test_').slice(9, 52));
    expect(made.every((body) => valueOf(body) < 1n << 256n)).toBe(true);
    expect(made.some((body) => valueOf(body) >= 1n << 255n)).toBe(true);
  });
});

describe('the successor of a refresh token', () => {
  const [one, other] = ['one', 'other'].map((text) => createSecretKey(Buffer.from(text)));

  it('is the same each time, and another one by another key or of another token', () => {
    if (!one || !other) throw new Error('no keys');
    const next = successorOf('before', one, 'qtc_test_');
    expect(successorOf('before', one, 'qtc_test_')).toBe(next);
    const mac = createHmac('sha256', 'one').update('before').digest('hex');
    expect(valueOf(next.slice(9, 52))).toBe(BigInt(`0x${mac}`));
    expect(successorOf('before', other, 'qtc_test_')).not.toBe(next);
    expect(successorOf('before.', one, 'qtc_test_')).not.toBe(next);
  });
});
