import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { weaknessOf } from '../../../src/platform/config/secret-strength.js';

const alphanumeric = (length: number) =>
  randomBytes(length * 3)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length);

const GENERATED: [string, () => string][] = [
  ['openssl rand -base64 48', () => randomBytes(48).toString('base64')],
  ['openssl rand -base64 24', () => randomBytes(24).toString('base64')],
  ['openssl rand -hex 32', () => randomBytes(32).toString('hex')],
  ['openssl rand -hex 16', () => randomBytes(16).toString('hex')],
  ['a token of 16 bytes', () => randomBytes(16).toString('base64url')],
  ["Stripe's whsec_", () => `whsec_${alphanumeric(32)}`],
  ["Stripe's sk_live_", () => `sk_live_${alphanumeric(24)}`],
  ["PayPal's client secret", () => randomBytes(60).toString('base64url')],
  ['a UUID', () => randomUUID()],
];

describe('a secret', () => {
  it.each(GENERATED)('that is generated always passes: %s', (_name, generate) => {
    const refused = Array.from({ length: 2000 }, generate).filter((one) => weaknessOf(one));
    expect(refused).toEqual([]);
  });

  it('that is random passes, also if it begins as a prefix might', () => {
    expect(weaknessOf('xxwtkkjz_1hw8oJmd84G7Q')).toBeNull();
  });

  it.each([
    '',
    'a'.repeat(64),
    'ab'.repeat(32),
    'password1234567890123456789012345678',
    'Passw0rd!Passw0rd!Passw0rd!Passw0rd!',
    'quittance'.repeat(5),
    'QUITTANCE_SECRET_QUITTANCE_SECRET_2026',
    'whsec_of_the_tests',
    `whsec_${'a'.repeat(32)}`,
    `whsec_${'0123456789abcdef'.repeat(2)}`,
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'deadbeef'.repeat(4),
    'f3b1c9d47e2a8056f3b1c9d47e2a8056',
    'supersecretsupersecret1234567890abcdef',
    'production-secret-production-secret-1',
    'MySecretPassword2026!MySecretPassword',
    'correct horse battery staple correct horse',
    'bananabread'.repeat(3),
    '00000000-0000-0000-0000-000000000000',
    '12345678901234567890123456789012',
    'sk_live_1',
    'hunter2',
  ])('that a person makes up is refused: %s', (secret) => {
    expect(weaknessOf(secret)).toMatch(/openssl rand/);
  });
});
