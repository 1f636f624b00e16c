import { FieldRefusal } from './field-refusals.js';

/** An active ISO 4217 alphabetic code. */
export type Currency = string;

// ISO 4217 list one; funds, metals and test codes are left out: nobody is billed in them.
const EXPONENTS: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF ' +
    'CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD ' +
    'HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA ' +
    'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN ' +
    'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
    'TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const MINOR_DIGITS = new Map<Currency, number>(
  Object.entries(EXPONENTS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [Currency, number] => [code, Number(digits)]),
  ),
);

export function isCurrency(text: string): boolean {
  return MINOR_DIGITS.has(text);
}

/** Digits after the decimal point of a currency's minor unit: EUR 2, JPY 0, KWD 3. */
export function minorDigits(currency: Currency): number {
  const digits = MINOR_DIGITS.get(currency);
  if (digits === undefined) {
    throw FieldRefusal.unknown_currency.at(
      '/currency',
      `${currency} is not an ISO 4217 currency code; send one such as EUR.`,
    );
  }
  return digits;
}

export const CURRENCIES: readonly Currency[] = [...MINOR_DIGITS.keys()].sort();
