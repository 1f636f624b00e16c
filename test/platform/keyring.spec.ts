import { describe, expect, it } from 'vitest';
import { keyIdIn, Keyring } from '../../src/platform/keyring.js';

const ONE = 'one secret of more than thirty-two characters';
const TWO = 'two secrets of more than thirty-two characters';
const PLAIN = Buffer.from('sk_live_1');

const ring = (...secrets: string[]) => Keyring.derived(secrets, 'a test');

describe('what a keyring encrypts', () => {
  it('is read by whoever has its key, whichever is the newest', () => {
    const sealed = ring(ONE).encrypt(PLAIN, 'owner');
    expect(sealed.includes(PLAIN)).toBe(false);
    expect(ring(TWO, ONE).decrypt(sealed, 'owner')).toEqual(PLAIN);
    expect(keyIdIn(sealed)).toBe(ring(ONE).newest.id);
    expect(keyIdIn(ring(TWO, ONE).encrypt(PLAIN))).toBe(ring(TWO).newest.id);
  });

  it('is nothing to another key, purpose or owner', () => {
    const sealed = ring(ONE).encrypt(PLAIN, 'owner');
    expect(ring(TWO).decrypt(sealed, 'owner')).toBeNull();
    expect(Keyring.derived([ONE], 'another test').decrypt(sealed, 'owner')).toBeNull();
    expect(ring(ONE).decrypt(sealed, 'other')).toBeNull();
    expect(ring(ONE).decrypt(sealed)).toBeNull();
  });

  it('is nothing once any of its bytes is changed, or some are gone', () => {
    const sealed = ring(ONE).encrypt(PLAIN, 'owner');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(ring(ONE).decrypt(changed, 'owner')).toBeNull();
      expect(ring(ONE).decrypt(sealed.subarray(0, at), 'owner')).toBeNull();
    }
  });

  it('is another text each time', () => {
    expect(ring(ONE).encrypt(PLAIN)).not.toEqual(ring(ONE).encrypt(PLAIN));
  });
});
