import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { isTimeZone } from '../../../kernel/clock.js';
import { type IdPrefix, type Uuid, uuidOf } from '../../../kernel/ids.js';
import { isEmailAddress } from '../../../kernel/mailbox.js';
import { isPlainHttp } from '../../../kernel/plain-http.js';
import { type FieldOptions, Flag, Matching, OneOf } from './fields.js';
import { nameWords } from '../openapi/words.js';
import type { ProblemCode } from '../problem-catalog.js';
import { MayMiss, Must, Tidied } from './rules.js';

/** `true` or `false` in a query, whose parameters are text. */
export const FlagParameter = (options: FieldOptions = {}) =>
  applyDecorators(
    Tidied((value) => (value === 'true' ? true : value === 'false' ? false : value)),
    Flag(options),
  );

const ARCHIVED = ['false', 'true', 'all'] as const;
export type Archived = (typeof ARCHIVED)[number];
nameWords({ Archived: ARCHIVED });

/** Whether a list has what is archived, or only that, or both. */
export const ArchivedParameter = () =>
  OneOf(ARCHIVED, {
    optional: true,
    description: 'Whether it is archived; `all` does not ask. Default: `false`.',
  });

/** The id of a thing of ours in a query. It need not exist: then nothing is found. */
export const IdParameter = (prefix: IdPrefix, options: FieldOptions = {}) =>
  Matching(
    {
      code: 'invalid_id',
      test: (text) => uuidOf(prefix, text) !== undefined,
      message: `must be an id that begins with ${prefix}_`,
    },
    { example: `${prefix}_01h455vb4pex5vsknk084sn02q`, optional: true, ...options },
  );

export const EmailAddress = (options: FieldOptions = {}) =>
  Matching(
    { code: 'invalid_email', test: isEmailAddress, message: 'must be an e-mail address' },
    options,
  );

/** Words or ids with commas between them, in one parameter. */
const Several = (rule: { code: ProblemCode; test: (item: string) => boolean; message: string }) =>
  applyDecorators(
    Tidied((value) => (typeof value === 'string' ? value.split(',') : value)),
    Must({
      ...rule,
      test: (items) => Array.isArray(items) && items.length <= MOST_ITEMS && items.every(rule.test),
    }),
    MayMiss(),
  );

const MOST_ITEMS = 100;

/** One or more of a list of words. */
export const SomeOf = (values: readonly string[], options: FieldOptions = {}) =>
  applyDecorators(
    Several({
      code: 'not_in_list',
      test: (item) => values.includes(item),
      message: `must be one or more of ${values.join(', ')}, with commas between them`,
    }),
    severalOf({ enum: [...values] }, options),
  );

/** Ids of one kind of things of ours. */
export const IdsParameter = (prefix: IdPrefix, options: FieldOptions = {}) =>
  applyDecorators(
    Several({
      code: 'invalid_id',
      test: (item) => uuidOf(prefix, item) !== undefined,
      message: `must be at most ${MOST_ITEMS} ids that begin with ${prefix}_, with commas between them`,
    }),
    severalOf({}, { example: [`${prefix}_01h455vb4pex5vsknk084sn02q`], ...options }),
  );

/** A list in a query is one parameter with commas: `style: form` without `explode`. */
const severalOf = (items: object, { description, example }: FieldOptions) =>
  ApiProperty({
    type: 'array',
    items: { type: 'string', ...items },
    maxItems: MOST_ITEMS,
    required: false,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  } as ApiPropertyOptions);

/** The UUIDs of an `IdsParameter`; undefined if it is absent. */
export function idsIn(prefix: IdPrefix, texts: readonly string[] | undefined): Uuid[] | undefined {
  return texts?.flatMap((text) => uuidOf(prefix, text) ?? []);
}

/** The UUID of an `IdParameter`; undefined if it is absent. */
export function idIn(prefix: IdPrefix, text: string | undefined): Uuid | undefined {
  return text === undefined ? undefined : uuidOf(prefix, text);
}

/** A web address that a browser may be sent to, so never `javascript:`. */
export const WebAddress = (options: FieldOptions & { max: number }) =>
  addressField(options, isWebAddress, 'an http or https URL');

/** A page that a payer's browser goes back to, with what they did in it. */
export const ReturnAddress = (options: FieldOptions) =>
  addressField(
    { ...options, max: 2000 },
    (text) => isWebAddress(text) && !isPlainHttp(text),
    'an https URL',
    '; http is for pages on this machine',
  );

function addressField(
  { max, ...options }: FieldOptions & { max: number },
  fits: (text: string) => boolean,
  kind: string,
  exception = '',
) {
  return Matching(
    {
      code: 'invalid_url',
      test: (text) => text.length <= max && fits(text),
      message: `must be ${kind} of at most ${max} characters, without spaces and without a user name${exception}`,
    },
    { ...options, schema: { maxLength: max } as ApiPropertyOptions },
  );
}

/** A browser drops line ends in an address, and takes what stands before an @ for its host. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export const LanguageTag = (options: FieldOptions = {}) =>
  Matching(
    {
      code: 'invalid_language',
      test: isLanguage,
      message: 'must be a BCP 47 language tag such as de or pt-BR',
    },
    { example: 'de', ...options },
  );

function isLanguage(text: string): boolean {
  try {
    return text.length <= 35 && Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

export const TimeZoneName = (options: FieldOptions = {}) =>
  Matching(
    {
      code: 'unknown_time_zone',
      test: isTimeZone,
      message: 'must be an IANA time zone such as Europe/Berlin',
    },
    { example: 'Europe/Berlin', ...options },
  );

/** An IP address, or a network as address and prefix length (RFC 4632, RFC 4291). */
export const NetworkText = (options: FieldOptions = {}) =>
  Matching(
    {
      code: 'invalid_network',
      test: isNetwork,
      message: 'must be an IP address or a network such as 192.0.2.0/24',
    },
    { example: '192.0.2.0/24', ...options },
  );

function isNetwork(text: string): boolean {
  const [address = '', length = '0', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isLength = /^\d{1,3}$/.test(length) && Number(length) <= bits;
  // A zone has a meaning on one machine only, and PostgreSQL knows none.
  return isLength && more.length === 0 && !address.includes('%');
}
