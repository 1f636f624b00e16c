import { TypeID } from 'typeid-js';

/** Public id prefixes: the kind of thing an id names can be read off the id. */
export type IdPrefix =
  | 'acc'
  | 'alloc'
  | 'aud'
  | 'bentry'
  | 'bstmt'
  | 'cli'
  | 'cus'
  | 'doc'
  | 'dsp'
  | 'evt'
  | 'item'
  | 'line'
  | 'msg'
  | 'pay'
  | 'plink'
  | 'pout'
  | 'prod'
  | 'ptok'
  | 'rcpt'
  | 'rfnd'
  | 'trel'
  | 'txr'
  | 'xfer';

/** `doc_01h...`: UUIDv7 in the database, type-prefixed base32 outside (TypeID). */
export type PublicId = string;

/** A UUID as PostgreSQL prints it. */
export type Uuid = string;

/** In whose name stands what belongs to no account. */
export const NO_ACCOUNT: Uuid = '00000000-0000-0000-0000-000000000000';

/** Makes ids that sort by time. Abstract class: port and injection token at once. */
export abstract class IdGenerator {
  abstract next(): Uuid;
}

export class UuidV7Generator extends IdGenerator {
  next(): Uuid {
    return new TypeID('').toUUID();
  }
}

export function publicId(prefix: IdPrefix, uuid: Uuid): PublicId {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/** The UUID inside a public id, or undefined when the text is not an id with this prefix. */
export function uuidOf(prefix: IdPrefix, text: string): Uuid | undefined {
  if (!/^[a-z]{3,6}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)) return undefined;
  try {
    return TypeID.fromString(text, prefix).toUUID();
  } catch {
    return undefined;
  }
}
