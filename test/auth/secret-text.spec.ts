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
  it.each(['live', 'test'] as const)('begins with qtc_%s_ and ends with its CRC', (mode) => {
    const prefix = `qtc_${mode}_`;
    const made = Array.from({ length: 200 }, () => newClientSecret(mode));
    expect(new Set(made).size).toBe(200);
    for (const text of made) {
      const [, body = '', sum = ''] = FORM.exec(text) ?? [];
      expect([text.startsWith(prefix), valueOf(sum)]).toEqual([true, BigInt(crc32(body))]);
    }
  });

  it('has 32 random bytes: its highest digit is small, the others are not', () => {
    const made = Array.from({ length: 300 }, () => newClientSecret('test').slice(9, 52));
    expect(made.every((body) => valueOf(body) < 1n << 256n)).toBe(true);
    expect(made.some((body) => valueOf(body) >= 1n << 255n)).toBe(true);
  });
});

describe('the successor of a refresh token', () => {
  const [one, other] = ['one', 'other'].map((text) => createSecretKey(Buffer.from(text)));

  it('is the same each time, and another one by another key or of another token', () => {
    if (!one || !other) throw new Error('no keys');
    const next = successorOf('qtc_live_before', one);
    expect(successorOf('qtc_live_before', one)).toBe(next);
    expect(next).toMatch(/^qtc_live_/);
    const mac = createHmac('sha256', 'one').update('qtc_live_before').digest('hex');
    expect(valueOf(next.slice(9, 52))).toBe(BigInt(`0x${mac}`));
    expect(successorOf('qtc_live_before', other)).not.toBe(next);
    expect(successorOf('qtc_live_before.', one)).not.toBe(next);
  });
});
