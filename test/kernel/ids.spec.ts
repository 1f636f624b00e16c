import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { type IdPrefix, publicId, UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';

const PREFIXES: IdPrefix[] = ['acc', 'cli', 'cus', 'doc', 'evt', 'pay', 'plink', 'ptok'];
const aPrefix = fc.constantFrom(...PREFIXES);
const ids = new UuidV7Generator();

describe('public ids', () => {
  it('lead back to their UUID, whatever it is', () => {
    fc.assert(
      fc.property(aPrefix, fc.uuid(), (prefix, uuid) => {
        const id = publicId(prefix, uuid);
        expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
        expect(uuidOf(prefix, id)).toBe(uuid);
      }),
    );
  });

  it('are TypeIDs, as another implementation makes and reads them', () => {
    fc.assert(
      fc.property(aPrefix, fc.uuid(), (prefix, uuid) => {
        expect(publicId(prefix, uuid)).toBe(TypeID.fromUUID(prefix, uuid).toString());
        expect(TypeID.fromString(publicId(prefix, uuid), prefix).toUUID()).toBe(uuid);
      }),
    );
  });

  it('lead nowhere under another prefix', () => {
    fc.assert(
      fc.property(aPrefix, aPrefix, fc.uuid(), (prefix, other, uuid) => {
        fc.pre(prefix !== other);
        expect(uuidOf(other, publicId(prefix, uuid))).toBeUndefined();
      }),
    );
  });

  it('are nothing when a letter is changed to one outside the alphabet', () => {
    const id = publicId('doc', ids.next());
    for (let at = 4; at < id.length; at += 1) {
      for (const letter of ['i', 'l', 'o', 'u', 'A', '-', ' ', '%']) {
        expect(uuidOf('doc', id.slice(0, at) + letter + id.slice(at + 1))).toBeUndefined();
      }
    }
  });

  it('are no text of any other form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(uuidOf('doc', text)).toBeUndefined();
      }),
    );
    const id = publicId('doc', ids.next());
    const wrong = ['', 'doc', 'doc_', `${id}0`, id.slice(0, -1), ` ${id}`, `${id}\n`, `doc_${id}`];
    const others = [id.toUpperCase(), id.replace('_', '-'), 'doc_8zzzzzzzzzzzzzzzzzzzzzzzzz'];
    for (const text of [...wrong, ...others]) expect(uuidOf('doc', text)).toBeUndefined();
  });
});

const made = (count: number) => Array.from({ length: count }, () => ids.next());

describe('new ids', () => {
  it('are UUIDs of version 7 that differ', () => {
    const some = made(20_000);
    expect(new Set(some).size).toBe(some.length);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(some.every((uuid) => form.test(uuid))).toBe(true);
  });

  it('sort by their time of making, also as public ids', () => {
    const some = made(20_000);
    expect(some.toSorted()).toEqual(some);
    const shown = some.map((uuid) => publicId('doc', uuid));
    expect(shown.toSorted()).toEqual(shown);
  });

  it('are after the one before also where the clock is set back', () => {
    const before = ids.next();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    const [after = ''] = made(1);
    clock.mockRestore();
    expect(after > before).toBe(true);
    expect(ids.next() > after).toBe(true);
  });

  it('have random ends that no other has', () => {
    expect(new Set(made(5000).map((id) => id.slice(-10))).size).toBe(5000);
  });
});
