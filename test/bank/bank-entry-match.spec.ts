import { describe, expect, it } from 'vitest';
import { creditorReference, groupedByFour } from '../../src/kernel/creditor-reference.js';
import { Money } from '../../src/kernel/money.js';
import type { StatedBankEntry } from '../../src/bank/domain/bank-statement.js';
import { type Candidate, proposalsFor, sureMatch } from '../../src/bank/domain/bank-entry-match.js';
import { isLike } from '../../src/bank/domain/names/name-likeness.js';
import { namesIn } from '../../src/bank/domain/names/names-in-text.js';

const eur = (minor: bigint) => Money.of(minor, 'EUR');

/** An open invoice over 119.00 EUR of one customer; its id is its number. */
function anInvoice(number: string, over: Partial<Candidate> = {}): Candidate {
  return {
    documentId: number,
    customerId: 'globex',
    customerName: 'Globex GmbH',
    number,
    paymentReference: creditorReference(number) ?? `RF00${number}`,
    due: eur(11_900n),
    dueDate: '2026-12-20',
    isPayable: true,
    isKnownPayer: false,
    ...over,
  };
}

function anEntry(over: Partial<StatedBankEntry> = {}): StatedBankEntry {
  return {
    direction: 'credit',
    isReversal: false,
    amount: eur(11_900n),
    bookedOn: '2026-11-18',
    valueOn: null,
    counterpartyName: null,
    counterpartyIban: null,
    remittance: null,
    structuredReference: null,
    endToEndId: null,
    bankReference: null,
    fee: eur(0n),
    transactionType: null,
    returnReason: null,
    ...over,
  };
}

/** The documents that an entry surely pays, as `number amount`. */
function sure(entry: Partial<StatedBankEntry>, ...candidates: Candidate[]): string[] | undefined {
  const all = anEntry(entry);
  const names = namesIn([all.structuredReference, all.remittance]);
  return sureMatch(all, names, candidates)?.map(
    ({ documentId, amount }) => `${documentId} ${amount.minor}`,
  );
}

function proposed(entry: Partial<StatedBankEntry>, ...candidates: Candidate[]) {
  const all = anEntry(entry);
  const names = namesIn([all.structuredReference, all.remittance]);
  return proposalsFor(all, names, candidates).map(
    ({ candidate, score, reasons }) => `${candidate.number} ${score} ${reasons.join(' ')}`,
  );
}

const ONE = anInvoice('INV-2026/00001');
const TWO = anInvoice('INV-2026/00002');
const reference = ONE.paymentReference;

describe('a reference with right check digits', () => {
  it.each([
    ['structured', { structuredReference: reference }],
    ['structured and in groups', { structuredReference: groupedByFour(reference) }],
    ['in the text', { remittance: `Rechnung ${reference} vom 3.11.` }],
    ['in the text, in groups', { remittance: `Danke! ${groupedByFour(reference)}, Globex` }],
    ['in small letters', { remittance: reference.toLowerCase() }],
    ['twice', { structuredReference: reference, remittance: reference }],
    ['beside its number', { structuredReference: reference, remittance: 'INV-2026/00001' }],
  ])('is sure %s, whatever the amount', (_, entry) => {
    expect(sure(entry, ONE)).toEqual(['INV-2026/00001 11900']);
    expect(sure({ ...entry, amount: eur(100n) }, ONE)).toEqual(['INV-2026/00001 100']);
    expect(sure({ ...entry, amount: eur(20_000n) }, ONE)).toEqual(['INV-2026/00001 11900']);
  });

  it.each([
    ['a wrong digit', { structuredReference: reference.replace('RF', 'RF9').slice(0, -1) }, [ONE]],
    ['another currency', { amount: Money.of(11_900n, 'USD') }, [ONE]],
    ['nothing due', {}, [{ ...ONE, isPayable: false }]],
    ['two invoices that it fits', {}, [ONE, anInvoice('INV2026-00001')]],
    ['another invoice in the text', { remittance: 'INV-2026/00002' }, [ONE, TWO]],
    ['a debit', { direction: 'debit' as const }, [ONE]],
    ['a reversal', { isReversal: true }, [ONE]],
    ['no amount', { amount: eur(0n) }, [ONE]],
  ])('is not sure with %s', (_, entry, candidates) => {
    expect(sure({ structuredReference: reference, ...entry }, ...candidates)).toBeUndefined();
  });

  it('is not sure of two invoices that it fits, though both come to the amount', () => {
    const halves = [ONE, anInvoice('INV2026-00001')].map((one) => ({ ...one, due: eur(5950n) }));
    expect(sure({ structuredReference: reference }, ...halves)).toBeUndefined();
  });

  it('is sure of the one invoice that takes payments, among others that do not', () => {
    const void_ = { ...anInvoice('INV2026-00001'), isPayable: false };
    expect(sure({ structuredReference: reference, amount: eur(500n) }, ONE, void_)).toEqual([
      'INV-2026/00001 500',
    ]);
  });
});

describe('numbers in the text', () => {
  it.each([
    'INV-2026/00001',
    'Rechnung INV-2026/00001 vom 03.11.2026',
    'RE:INV 2026 00001',
    'inv202600001',
    'INV- 2026/ 00001',
    '(INV_2026.00001)',
  ])('are sure for exactly what is due: %s', (remittance) => {
    expect(sure({ remittance }, ONE)).toEqual(['INV-2026/00001 11900']);
    expect(sure({ remittance, amount: eur(11_899n) }, ONE)).toBeUndefined();
    expect(sure({ remittance, amount: eur(11_901n) }, ONE)).toBeUndefined();
  });

  it('are whole words', () => {
    expect(sure({ remittance: 'XINV-2026/00001' }, ONE)).toBeUndefined();
    expect(sure({ remittance: 'INV-2026/000012' }, ONE)).toBeUndefined();
    expect(sure({ remittance: 'INV-2026, 00001' }, ONE)).toBeUndefined();
  });

  it('are sure of several whose dues come to the amount', () => {
    const remittance = 'INV-2026/00001, INV-2026/00002';
    const both = { remittance, amount: eur(23_800n) };
    expect(sure(both, ONE, TWO)).toEqual(['INV-2026/00001 11900', 'INV-2026/00002 11900']);
    expect(sure({ remittance }, ONE, TWO)).toBeUndefined();
    expect(sure(both, ONE, { ...TWO, customerId: 'other' })).toBeUndefined();
    expect(sure(both, ONE, { ...TWO, isPayable: false })).toBeUndefined();
    expect(sure(both, ONE, { ...TWO, due: Money.of(11_900n, 'USD') })).toBeUndefined();
    expect(sure({ ...both, structuredReference: reference }, ONE, TWO)).toHaveLength(2);
  });

  it('do not mean a shorter number that is part of them', () => {
    const part = anInvoice('2026', { due: eur(100n) });
    expect(sure({ remittance: 'INV-2026/00001' }, ONE, part)).toEqual(['INV-2026/00001 11900']);
    expect(sure({ remittance: 'INV-2026/00001 in 2026' }, ONE, part)).toBeUndefined();
  });

  it('mean nothing when they are shorter than three characters', () => {
    expect(sure({ remittance: '12' }, anInvoice('12'))).toBeUndefined();
    expect(sure({ remittance: '123' }, anInvoice('123'))).toBeDefined();
  });

  it('that make no reference are found as they are written', () => {
    const odd = anInvoice('Büro-2026-000001');
    expect(sure({ remittance: 'Zu Büro-2026-000001' }, odd)).toEqual(['Büro-2026-000001 11900']);
  });
});

describe('proposals', () => {
  it('say why, and how likely it is', () => {
    expect(
      proposed(
        {
          remittance: 'INV-2026/00001',
          amount: eur(11_900n),
          counterpartyName: 'GLOBEX',
          bookedOn: '2026-12-19',
        },
        { ...ONE, isKnownPayer: true },
      ),
    ).toEqual(['INV-2026/00001 100 number amount payer_iban payer_name due_date']);
    expect(proposed({ remittance: 'INV-2026/00001', amount: eur(5n) }, ONE)).toEqual([
      'INV-2026/00001 45 number',
    ]);
    expect(proposed({ structuredReference: reference, amount: eur(5n) }, ONE)).toEqual([
      'INV-2026/00001 60 reference',
    ]);
    expect(proposed({}, ONE)).toEqual(['INV-2026/00001 30 amount']);
  });

  it('begin with the likeliest, ten at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => anInvoice(`N-${100 + index}`));
    const list = proposed({ remittance: 'N-111' }, ...many);
    expect(list).toHaveLength(10);
    expect(list[0]).toBe('N-111 75 number amount');
  });

  it('leave out what cannot be paid, is in another currency, or is like by chance only', () => {
    expect(proposed({}, { ...ONE, isPayable: false })).toEqual([]);
    expect(proposed({ amount: Money.of(11_900n, 'USD') }, ONE)).toEqual([]);
    expect(proposed({ amount: eur(5n), bookedOn: '2026-12-19' }, ONE)).toEqual([]);
    expect(proposed({ direction: 'debit' }, ONE)).toEqual([]);
    expect(proposed({ isReversal: true }, ONE)).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['Globex GmbH', 'GLOBEX'],
    ['Müller & Söhne KG', 'Muller und Sohne'],
    ['Lovelace, Ada', 'Ada Lovelace'],
    ['Jonathan Archibald Smith', 'Jonathan Archibald Smit'],
    ['Straßenbau AG', 'Strassenbau'],
  ])('are alike: %s and %s', (one, other) => {
    expect([isLike(one, other), isLike(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['Globex GmbH', 'Initech GmbH'],
    ['GmbH', 'GmbH'],
    ['', ''],
    ['Anna Schmidt', 'Bert Schmidt'],
  ])('are not alike: %j and %j', (one, other) => {
    expect(isLike(one, other)).toBe(false);
  });
});
