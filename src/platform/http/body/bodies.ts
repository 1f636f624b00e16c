import { ATTACHED_TYPES, ATTACHMENT_LIMITS } from '../../../kernel/attachment-limits.js';
import type { Config } from '../../config/config.js';
import type { JsonLimits } from './json-scan.js';

const DEEPEST = 32;

/** How the body of a route is read. Other media types are refused. */
export interface BodyKind {
  bytes(config: Config): number;
  /** Without it, the bytes are kept as they came, and are not parsed. */
  json?: JsonLimits;
  /** The most fields of a form. Without it, no form is taken. */
  formFields?: number;
  /** The media types. Without it, any is taken. */
  types?: readonly string[];
  /** The types that the OpenAPI document names. Default: JSON, or `types` for a file. */
  described?: readonly string[];
  /** Tells a caller what to send instead of another type. */
  hint?: string;
}

const AS_JSON = {
  types: ['application/json', 'application/*+json'],
  hint: 'Send the body as JSON, with Content-Type: application/json.',
};
const LARGEST_LOGO_BYTES = 1_048_576;

/** A payment with its allocations, a customer, settings. */
const USUAL = {
  bytes: (config) => config.bodyLimitBytes,
  json: { keys: 1000, items: 1000, depth: DEEPEST },
  ...AS_JSON,
} satisfies BodyKind;

/** Every limit of bodies, by what a route takes. */
export const BODIES = {
  json: USUAL,
  /** RFC 7396 has a media type for it, too. */
  mergePatch: { ...USUAL, described: ['application/json', 'application/merge-patch+json'] },
  /** Credentials, or a client's answer. Anybody may send these few fields, also as a form. */
  form: {
    bytes: (config) => Math.min(config.bodyLimitBytes, 20_480),
    json: { keys: 50, items: 50, depth: DEEPEST },
    formFields: 50,
    ...AS_JSON,
    described: ['application/json', 'application/x-www-form-urlencoded'],
  },
  /** A document: 10,000 lines of 15 fields and a discount each, or fewer with more (decision 256). */
  document: {
    bytes: (config) => config.documentBodyLimitBytes,
    json: { keys: 200_000, differentKeys: 20_000, items: 50_000, depth: DEEPEST },
    ...AS_JSON,
  },
  /** Parts of an invoice's 10,000 lines: three fields each. */
  creditNote: {
    bytes: (config) => config.documentBodyLimitBytes,
    json: { keys: 40_000, items: 20_000, depth: DEEPEST },
    ...AS_JSON,
  },
  image: {
    bytes: () => LARGEST_LOGO_BYTES,
    types: ['image/png', 'image/jpeg'],
    hint: 'Send the bytes of the image, with Content-Type: image/png or image/jpeg.',
  },
  statement: {
    bytes: (config) => config.bankFileLimitBytes,
    types: ['application/xml', 'text/xml', 'text/csv', 'text/plain'],
    hint: 'Send the file of the bank: camt as application/xml, text/csv, or MT940 as text/plain.',
  },
  /** A file of one of these types; its bytes are judged where they are kept. */
  attachment: {
    bytes: () => ATTACHMENT_LIMITS.fileBytes,
    types: ATTACHED_TYPES,
    hint: `Send the bytes of the file, with its own Content-Type: ${ATTACHED_TYPES.join(', ')}.`,
  },
  /** The provider's own bytes, which its signature is over. */
  webhook: { bytes: (config) => config.webhookBodyLimitBytes },
} satisfies Record<string, BodyKind>;

/** The metadata that says what body a route takes. Without it, `json`. */
export const TAKES = 'quittance:takes';
