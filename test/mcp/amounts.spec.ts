import { describe, expect, it } from 'vitest';
import { amountInWords, amountLines } from '../../src/cli/mcp/amounts.js';
import { CURRENCIES, minorDigits } from '../../src/kernel/currency.js';
import { Money } from '../../src/kernel/money.js';

const inWords = (minor: bigint, currency: string) => amountInWords(Money.of(minor, currency));

describe('an amount in words', () => {
  it.each([
    [11_900n, 'EUR', '119.00 EUR (one hundred nineteen euros)'],
    [100n, 'EUR', '1.00 EUR (one euro)'],
    [105n, 'EUR', '1.05 EUR (one euro and 5/100)'],
    [5n, 'EUR', '0.05 EUR (zero euros and 5/100)'],
    [0n, 'EUR', '0.00 EUR (zero euros)'],
    [-250_050n, 'USD', '-2500.50 USD (minus two thousand five hundred US dollars and 50/100)'],
    [1n, 'JPY', '1 JPY (one Japanese yen)'],
    [1_250n, 'JPY', '1250 JPY (one thousand two hundred fifty Japanese yen)'],
    [11_900n, 'KWD', '11.900 KWD (eleven Kuwaiti dinars and 900/1000)'],
    [12_000n, 'KWD', '12.000 KWD (twelve Kuwaiti dinars)'],
    [5n, 'KWD', '0.005 KWD (zero Kuwaiti dinars and 5/1000)'],
    [
      9_007_199_254_740_991n,
      'EUR',
      '90071992547409.91 EUR (ninety trillion seventy-one billion nine hundred ninety-two million five hundred forty-seven thousand four hundred nine euros and 91/100)',
    ],
  ])('%s of %s', (minor, currency, said) => {
    expect(inWords(minor, currency)).toBe(said);
  });

  it('is said of every currency, by a name that is not its code', () => {
    const unnamed = CURRENCIES.filter((currency) => {
      const one = 10n ** BigInt(minorDigits(currency));
      return !/ \(one .*[a-z]{3}/.test(inWords(one, currency));
    });
    expect(unnamed).toEqual([]);
  });
});

describe('the amounts of an answer', () => {
  it('are those with their currency beside them, with their place', () => {
    const answer = {
      data: [
        { currency: 'EUR', amount_due: 11_900, total: 0, version: 7, lines: [{ amount: 5 }] },
        { amount: 100, currency: 'ABC' },
      ],
      paid: { currency: 'JPY', amount: -3, amount_text: '3', note: null },
      total_count: 2,
      amount: 12,
    };
    expect(amountLines(answer)).toEqual([
      'data[0].amount_due: 11900 EUR = 119.00 EUR (one hundred nineteen euros)',
      'paid.amount: -3 JPY = -3 JPY (minus three Japanese yen)',
    ]);
  });

  it.each([null, undefined, 'text', 5, [], {}])('are none in %j', (value) => {
    expect(amountLines(value)).toEqual([]);
  });
});
