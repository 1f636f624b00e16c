import type { Template } from '../printing/template.js';
import { type Seller, sellerOf } from './party.js';

/** JSON Merge Patch (RFC 7396): what is undefined stays, what is null is cleared. */
export type SellerPatch = { [Field in keyof Seller]?: Seller[Field] | null };

/** @param version that the seller will have */
export function patchedSeller(seller: Seller, patch: SellerPatch, version: number): Seller {
  const template = patch.template && templateAt(version, patch.template, seller.template);
  const said = Object.entries(patch).filter(([, value]) => value !== undefined);
  const merged = Object.entries({
    ...seller,
    ...Object.fromEntries(said),
    ...(template && { template }),
  });
  return sellerOf(Object.fromEntries(merged.filter(([, value]) => value !== null)));
}

/** The same template keeps its version. */
function templateAt(version: number, said: Template, stored: Template | null): Template {
  const isSame = stored !== null && contentOf(said) === contentOf(stored);
  return isSame ? stored : { ...said, version };
}

/** Without the version, and in one order: PostgreSQL keeps fields in an order of its own. */
function contentOf(template: Template): string {
  return JSON.stringify(template, (name, value: unknown) => {
    if (name === 'version') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
