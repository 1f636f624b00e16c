import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http.js';
import { differencesOf } from './comparison.js';
import { sampleRequests } from './document-request.js';
import { readSample } from './read-sample.js';
import { type Refusal, taken } from './refused-particulars.js';
import { TINY_CII, TINY_UBL } from './tiny-samples.js';

const requestsOf = (xml: string) => {
  const { seller, document, lacks } = sampleRequests(readSample(xml));
  // As it is sent: without what is undefined.
  const sent = JSON.parse(JSON.stringify({ seller, document })) as object;
  return { ...sent, lacks: [...lacks].sort() };
};

describe('a sample in UBL', () => {
  it('becomes requests of ours', () => {
    expect(requestsOf(TINY_UBL)).toMatchObject({
      seller: {
        name: 'Acme',
        legal_name: 'Acme GmbH',
        tax_id: 'DE123456788',
        tax_number: '30/123/45678',
        identifiers: [{ scheme: '0088', value: '4012345000108' }],
        address: ['Weg 1'],
        city: 'Berlin',
        country: 'DE',
        bank_accounts: [
          { iban: 'DE89370400440532013000' },
          { account_number: '4711-08', bank_code: { value: '021000021' } },
        ],
      },
      document: {
        kind: 'credit_note',
        number: 'CN-7',
        issue_date: '2026-11-20',
        currency: 'EUR',
        buyer_reference: '04011000-12345-34',
        customer: { name: 'Globex' },
        preceding_invoices: [{ number: 'INV-3' }],
        subject_notes: [{ subject: 'AAB', text: 'No discount' }, { text: 'Thank you' }],
        direct_debit: { creditor_id: 'DE98ZZZ09999999999' },
        payment_means_code: '58',
        discounts: [{ amount: 100, tax_category: 'E', tax_rate: '0', reason: 'Loyalty' }],
        charges: [],
        lines: [
          {
            description: 'Lesson',
            quantity: '2.5',
            unit: 'HUR',
            unit_amount_decimal: '1000',
            discounts: [{ percent: '2' }],
            tax_category: 'E',
            tax_rate: '0',
            tax_exemption_reason: 'Teaching',
          },
        ],
      },
    });
  });

  it('tells what no request says', () => {
    const { lacks } = requestsOf(TINY_UBL);
    expect(lacks).toEqual(['lineIds', 'openPeriod', 'paid']);
  });
});

describe('a sample in CII', () => {
  it('becomes a request of ours, of the lines that bill', () => {
    expect(requestsOf(TINY_CII)).toMatchObject({
      document: {
        kind: 'invoice',
        type_code: '384',
        notes: 'Thank you',
        tax_currency: { currency: 'CHF', exchange_rate: '0.5' },
        lines: [
          {
            description: 'Screw',
            quantity: '250',
            unit_amount_decimal: '450',
            gross_unit_amount_decimal: '500',
            price_base_quantity: '100',
            standard_item_id: { scheme: '0160', value: '4012345678901' },
            issued_net_amount_decimal: '1126',
            tax_category: 'S',
            tax_rate: '19',
          },
        ],
      },
      // 250 at 4.50 for 100 are 11.25, and the sample says 11.26.
      lacks: ['lineIds', 'subLines'],
    });
  });
});

const saidIn = (xml: string) => readSample(xml).said;

describe('a comparison', () => {
  it.each([TINY_UBL, TINY_CII])('finds a sample equal to itself', (xml) => {
    expect(differencesOf(saidIn(xml), saidIn(xml))).toEqual([]);
  });

  it('takes numbers as numbers, and figures that only ours has for differences', () => {
    const ours = TINY_UBL.replace('2.500', '2.5')
      .replace('23.50', '23.51')
      .replace('RE-3', 'RF25')
      .replace('<y:DocumentCurrencyCode>', '<y:AccountingCost>4711</y:AccountingCost>$&')
      .replace(
        '3.50</y:PrepaidAmount>',
        '$&<y:PayableRoundingAmount>0.02</y:PayableRoundingAmount>',
      );
    expect(differencesOf(saidIn(TINY_UBL), saidIn(ours))).toEqual([
      { term: 'BT-83', at: '', sample: 'RE-3', ours: 'RF25' },
      { term: 'BT-114', at: '', sample: null, ours: '0.02' },
      { term: 'BT-116', at: 'BG-23 1', sample: '23.50', ours: '23.51' },
    ]);
  });

  it('finds a line that is missing, and one that nobody asked for', () => {
    const [line = ''] = /<x:CreditNoteLine>[^]*<\/x:CreditNoteLine>/.exec(TINY_UBL) ?? [];
    const [all, none] = [saidIn(TINY_UBL), saidIn(TINY_UBL.replace(line, ''))];
    expect(differencesOf(all, none)).toMatchObject([{ term: 'BG-25', at: 'BG-25 1', ours: null }]);
    expect(differencesOf(none, all)).toMatchObject([{ term: 'BG-25', at: '', sample: null }]);
  });
});

const DOCUMENT = {
  notes: 'wrong',
  lines: [{ quantity: '1' }],
  accounts: [{ iban: 'wrong' }, { iban: 'wrong' }, { iban: 'right' }],
};

/** A service that refuses what is `wrong`, and accounts without an IBAN. */
async function refusing(body: object): Promise<Answer> {
  const { notes, lines, accounts } = body as Partial<typeof DOCUMENT>;
  const errors = [
    { pointer: '/notes', code: 'invalid_text', isWrong: notes === 'wrong' },
    {
      pointer: '/lines/0/quantity',
      code: 'invalid_decimal',
      isWrong: lines?.[0]?.quantity === 'wrong',
    },
    ...(accounts ?? []).flatMap(({ iban }: { iban?: string }, index) => {
      const pointer = `/accounts/${index}/iban`;
      return [
        { pointer, code: 'invalid_iban', isWrong: iban === 'wrong' },
        { pointer, code: 'required', isWrong: iban === undefined },
      ];
    }),
  ].filter(({ isWrong }) => isWrong);
  const [status, answer] = errors.length > 0 ? [422, { code: 'invalid', errors }] : [201, body];
  return { status, body: answer, text: '' } as unknown as Answer;
}

describe('a particular that is refused', () => {
  it('is left out and told, with the account that cannot be without it', async () => {
    const leftOut: Refusal[] = [];
    const { answer, refusals } = await taken(DOCUMENT, '/seller', leftOut, refusing);
    expect(refusals).toEqual([]);
    expect(answer.body).toEqual({ lines: [{ quantity: '1' }], accounts: [{ iban: 'right' }] });
    expect(leftOut).toEqual([
      { code: 'invalid_text', pointer: '/seller/notes' },
      { code: 'invalid_iban', pointer: '/seller/accounts/0/iban' },
      { code: 'invalid_iban', pointer: '/seller/accounts/1/iban' },
    ]);
  });

  it('is told where a document is calculated with it', async () => {
    const wrong = { ...DOCUMENT, lines: [{ quantity: 'wrong' }] };
    const { refusals } = await taken(wrong, '', [], refusing);
    expect(refusals.map(({ pointer }) => pointer)).toEqual([
      '/notes',
      '/lines/0/quantity',
      '/accounts/0/iban',
      '/accounts/1/iban',
    ]);
  });
});
