import { Decimal } from '../../kernel/decimal.js';
import type { Profile } from './profile.js';
import type { SemanticPrice } from './semantic/semantic-line.js';

/** A price with more decimals than a profile takes is that of ten, a hundred, or more: still exact. */
export function pricedFor(price: SemanticPrice, { pricePlaces }: Profile): SemanticPrice {
  if (pricePlaces === null) return price;
  const scale = Math.max(
    placesOf(price.net),
    ...(price.gross ? [placesOf(price.gross.price), placesOf(price.gross.discount)] : []),
  );
  if (scale <= pricePlaces) return price;
  const factor = Decimal.of(10n ** BigInt(scale - pricePlaces));
  const times = (text: string) => Decimal.parse(text).times(factor).toString();
  return {
    net: times(price.net),
    gross: price.gross && {
      price: times(price.gross.price),
      discount: times(price.gross.discount),
    },
    baseQuantity: times(price.baseQuantity),
  };
}

function placesOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}
