import { type Seller, sellerOf } from './party.js';

/** JSON Merge Patch (RFC 7396): what is undefined stays, what is null is cleared. */
export type SellerPatch = { [Field in keyof Seller]?: Seller[Field] | null };

export function patchedSeller(seller: Seller, patch: SellerPatch): Seller {
  const said = Object.entries(patch).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...seller, ...Object.fromEntries(said) });
  return sellerOf(Object.fromEntries(merged.filter(([, value]) => value !== null)));
}
