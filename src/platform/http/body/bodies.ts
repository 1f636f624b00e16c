import type { Config } from '../../config/config.js';
import type { JsonLimits } from './json-scan.js';

const DEEPEST = 32;

/** How the body of a route is read; media types that it does not have are refused. */
export interface BodyKind {
  bytes(config: Config): number;
  /** Without: the bytes are kept as they came, and nobody parses them here. */
  json?: JsonLimits;
  /** Fields of a form; without, no form is taken. */
  formFields?: number;
  /** Any, where it is absent. */
  types?: readonly string[];
  /** The types that the OpenAPI document names; without, JSON, or all types of a file. */
  described?: readonly string[];
  /** The hint what to send instead of another type. */
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

/** Every number about bodies, by what a route takes. */
export const BODIES = {
  json: USUAL,
  /** Also of the type that RFC 7396 has for it. */
  mergePatch: { ...USUAL, described: ['application/json', 'application/merge-patch+json'] },
  /** Credentials, or a client's answer: few fields, from anybody, also as a form. */
  form: {
    bytes: (config) => Math.min(config.bodyLimitBytes, 20_480),
    json: { keys: 50, items: 50, depth: DEEPEST },
    formFields: 50,
    ...AS_JSON,
    described: ['application/json', 'application/x-www-form-urlencoded'],
  },
  /** A document: 1,000 lines of 15 fields and a discount each, or fewer with more. */
  document: {
    bytes: (config) => config.documentBodyLimitBytes,
    json: { keys: 20_000, items: 5000, depth: DEEPEST },
    ...AS_JSON,
  },
  /** Parts of an invoice's lines: three fields each. */
  creditNote: {
    bytes: (config) => config.bodyLimitBytes,
    json: { keys: 4000, items: 5000, depth: DEEPEST },
    ...AS_JSON,
  },
  image: {
    bytes: () => LARGEST_LOGO_BYTES,
    types: ['image/png', 'image/jpeg'],
    hint: 'Send the bytes of the image, with Content-Type: image/png or image/jpeg.',
  },
  statement: {
    bytes: (config) => config.documentBodyLimitBytes,
    types: ['application/xml', 'text/xml', 'text/csv'],
    hint: 'Send the file of the bank: camt.053 as application/xml, or text/csv.',
  },
  /** The provider's own bytes, which its signature is over. */
  webhook: { bytes: (config) => config.webhookBodyLimitBytes },
} satisfies Record<string, BodyKind>;

/** The metadata of a handler that says what body its route takes; `json` without. */
export const TAKES = 'quittance:takes';
