import type { Locale } from '../printing/formatting.js';
import type { Party } from './party.js';

type Address = Pick<Party, 'address' | 'postal_code' | 'city' | 'region' | 'country'>;
type Parts = Record<'code' | 'city' | 'region', string>;
type Order = (parts: Parts) => string[];

const spaced = (...parts: string[]) => parts.filter(Boolean).join(' ');
const listed = (...parts: string[]) => parts.filter(Boolean).join(', ');

/** `10115 Berlin`: in most countries. */
const CODE_FIRST: Order = ({ code, city, region }) => [listed(spaced(code, city), region)];
/** `20121 Milano MI` */
const CODE_FIRST_PROVINCE_BESIDE: Order = ({ code, city, region }) => [spaced(code, city, region)];
/** `Springfield, IL 62704` */
const CODE_WITH_REGION: Order = ({ code, city, region }) => [listed(city, spaced(region, code))];
/** `Sydney NSW 2000` */
const CODE_LAST: Order = ({ code, city, region }) => [spaced(city, region, code)];
/** `London`, and below it `SW1A 1AA` */
const CODE_BELOW: Order = ({ code, city, region }) => [listed(city, region), code];

const COUNTRIES: [order: Order, countries: string][] = [
  [CODE_FIRST_PROVINCE_BESIDE, 'IT SM'],
  [CODE_WITH_REGION, 'US AS GU IN MP PR VI'],
  [CODE_LAST, 'AU CA NZ SG'],
  [CODE_BELOW, 'BR GB GG GI IE IM JE XI ZA'],
];

const ORDERS = new Map(
  COUNTRIES.flatMap(([order, countries]) =>
    countries.split(' ').map((country): [string, Order] => [country, order]),
  ),
);

/** An address line by line, in the order of its country. */
export function addressLines(address: Address, locale: Locale): string[] {
  const { postal_code: code, city, region, country } = address;
  const order = ORDERS.get(country ?? '') ?? CODE_FIRST;
  return [
    ...address.address,
    ...order({ code: code ?? '', city: city ?? '', region: region ?? '' }),
    country === null ? '' : locale.country(country),
  ].filter(Boolean);
}
