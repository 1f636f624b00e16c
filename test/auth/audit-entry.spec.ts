import { describe, expect, it } from 'vitest';
import { differences } from '../../src/auth/domain/audit-entry.js';

const paidTo = (iban: string) => ({ bank_accounts: [{ holder: 'Acme', iban }] });

describe('what an audit entry says of a change', () => {
  it('is what differs, by value and not by identity', () => {
    const before = { name: 'Acme', tags: ['a', 'b'], address: { city: 'Bonn' }, days: 14 };
    const after = { name: 'Acme', tags: ['a'], address: { city: 'Bonn' }, days: 30 };
    expect(differences(before, after)).toEqual({
      before: { tags: ['a', 'b'], days: 14 },
      after: { tags: ['a'], days: 30 },
    });
  });

  it('is everything of what is new or gone', () => {
    const fields = { name: 'Acme', days: 14 };
    expect(differences(null, fields)).toEqual({ before: null, after: fields });
    expect(differences(fields, null)).toEqual({ before: fields, after: null });
  });

  it('has a field that was not there as null', () => {
    expect(differences({}, { days: 14 })).toEqual({ before: { days: null }, after: { days: 14 } });
  });

  it('ends numbers of bank accounts in four characters, after they were compared', () => {
    expect(differences(paidTo('DE02100500000054540402'), paidTo('DE88100900001234540402'))).toEqual(
      {
        before: paidTo('****0402'),
        after: paidTo('****0402'),
      },
    );
  });

  it('tells when a secret ends', () => {
    const after = { previous_secret_ends_at: '2026-11-23T00:00:00Z' };
    expect(differences(null, after).after).toEqual(after);
  });

  it.each(['client_secret', 'token', 'access_token', 'password', 'api_key', 'key'])(
    'has no %s, wherever it stands',
    (name) => {
      const { after } = differences(null, { metadata: [{ [name]: 'hunter2' }] });
      expect(after).toEqual({ metadata: [{ [name]: '[not kept]' }] });
    },
  );
});
