import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import { moneyTaken, unitsAt } from '../provider-amount.js';
import { GatewayRefusal } from '../../payments/index.js';

/**
 * docs.adyen.com/development-resources/currency-codes: the currencies that Adyen takes, with its own
 * decimals. CLP, CVE, IDR and ISK differ from ISO 4217 there. Others are in doubt, and refused.
 */
const LISTED: Readonly<Record<number, string>> = {
  0: 'CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP ' +
    'CRC CUP CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ILS INR ' +
    'ISK JMD KES KGS KHR KYD KZT LAK LKR MAD MDL MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN ' +
    'NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STN ' +
    'SVC SZL THB TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const DIGITS = new Map<string, number>(
  Object.entries(LISTED).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
);

export const AdyenAmount = z.object({
  value: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type AdyenAmount = z.infer<typeof AdyenAmount>;

/** Undefined if we cannot say it exactly. */
export function moneyOfAdyen({ value, currency }: AdyenAmount): Money | undefined {
  const digits = DIGITS.get(currency);
  if (digits === undefined) return undefined;
  return moneyTaken({ units: BigInt(value), digits }, currency);
}

/** @throws DomainError `gateway_refused` when Adyen does not list the currency, or has no such amount */
export function adyenAmount(amount: Money): AdyenAmount {
  const { currency } = amount;
  const digits = DIGITS.get(currency);
  if (digits === undefined) {
    throw GatewayRefusal.gateway_refused.of(`Adyen takes no ${currency}.`, {
      provider: 'Adyen',
    });
  }
  // Our largest amount has room for two more digits in a number.
  return { value: Number(unitsAt(amount, digits, 'Adyen')), currency };
}
