import { z } from 'zod';
import { type IdPrefix, type Uuid, uuidOf } from '../../../kernel/ids.js';
import { isPlainHttp } from '../../../kernel/plain-http.js';
import { field, type Field, type FieldOptions, flag, passing } from './fields.js';
import { matching } from './text-fields.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import type { JsonSchema } from './shapes.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** A parameter of a query, which is text, made what it stands for. */
export function parameter<Value>(
  tidy: (text: string) => unknown,
  of: z.ZodOptional<z.ZodType<Value>>,
): z.ZodOptional<z.ZodType<Value>> {
  const tidied = z.preprocess((value) => (typeof value === 'string' ? tidy(value) : value), of);
  return tidied.optional() as unknown as z.ZodOptional<z.ZodType<Value>>;
}

/** `true` or `false` in a query. */
export const flagParameter = (options: FieldOptions = {}) =>
  parameter(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    flag({ ...options, optional: true }),
  );

/** The id of a thing of ours in a query. It need not exist: then nothing is found. */
export function idParameter<const Options extends FieldOptions = { optional: true }>(
  prefix: IdPrefix,
  options: Options = {} as Options,
): Field<string, { optional: true } & Options> {
  return matching(
    {
      refusal: FieldRefusal.invalid_id,
      test: (text) => uuidOf(prefix, text) !== undefined,
      message: `must be an id that begins with ${prefix}_`,
    },
    { example: `${prefix}_01h455vb4pex5vsknk084sn02q`, optional: true, ...options },
  ) as Field<string, { optional: true } & Options>;
}

const MOST_ITEMS = 100;

/** Words or ids with commas between them, in one parameter: `style: form` without `explode`. */
function several<Item extends string>(
  rule: { refusal: DomainRefusal; test: (item: string) => boolean; message: string },
  items: JsonSchema,
  options: FieldOptions,
) {
  const list = passing<Item[]>(
    rule.refusal,
    (all) => Array.isArray(all) && all.length <= MOST_ITEMS && all.every(rule.test),
    rule.message,
  );
  const schema = { type: 'array', items: { type: 'string', ...items }, maxItems: MOST_ITEMS };
  const said = field(list, [rule.refusal], schema, { ...options, optional: true });
  return parameter((value) => value.split(','), said);
}

/** One or more of a list of words. */
export const someOf = <Word extends string>(words: readonly Word[], options: FieldOptions = {}) =>
  several<Word>(
    {
      refusal: FieldRefusal.not_in_list,
      test: (item) => (words as readonly string[]).includes(item),
      message: `must be one or more of ${words.join(', ')}, with commas between them`,
    },
    { enum: [...words] },
    options,
  );

/** Ids of one kind of things of ours. */
export const idsParameter = (prefix: IdPrefix, options: FieldOptions = {}) =>
  several(
    {
      refusal: FieldRefusal.invalid_id,
      test: (item) => uuidOf(prefix, item) !== undefined,
      message: `must be at most ${MOST_ITEMS} ids that begin with ${prefix}_, with commas between them`,
    },
    {},
    { example: [`${prefix}_01h455vb4pex5vsknk084sn02q`], ...options },
  );

/** The UUIDs of an `idsParameter`; undefined if it is absent. */
export function idsIn(prefix: IdPrefix, texts: readonly string[] | undefined): Uuid[] | undefined {
  return texts?.flatMap((text) => uuidOf(prefix, text) ?? []);
}

/** The UUID of an `idParameter`; undefined if it is absent. */
export function idIn(prefix: IdPrefix, text: string | undefined): Uuid | undefined {
  return text === undefined ? undefined : uuidOf(prefix, text);
}

/** A web address that a browser may be sent to, so never `javascript:`. */
export function webAddress<const Options extends FieldOptions & { max: number }>(
  options: Options,
): Field<string, Options> {
  return addressField(options, isWebAddress, 'an http or https URL');
}

/** A page that a payer's browser goes back to, with what they did in it. */
export function returnAddress<const Options extends FieldOptions>(
  options: Options,
): Field<string, Options> {
  return addressField(
    { ...options, max: 2000 },
    (text) => isWebAddress(text) && !isPlainHttp(text),
    'an https URL',
    '; http is for pages on this machine',
  );
}

/** An address that others are told, and that nobody may change on the way. */
export function secureAddress<const Options extends FieldOptions & { max: number }>(
  options: Options,
): Field<string, Options> {
  return addressField(
    options,
    (text) => isWebAddress(text) && text.startsWith('https:'),
    'an https URL',
  );
}

function addressField<const Options extends FieldOptions & { max: number }>(
  options: Options,
  fits: (text: string) => boolean,
  kind: string,
  exception = '',
): Field<string, Options> {
  const { max } = options;
  return matching(
    {
      refusal: FieldRefusal.invalid_url,
      test: (text) => text.length <= max && fits(text),
      message: `must be ${kind} of at most ${max} characters, without spaces and without a user name${exception}`,
    },
    { ...options, schema: { maxLength: max } },
  );
}

/** A browser drops line ends in an address, and takes what stands before an @ for its host. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export function languageTag<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<string, Options> {
  return matching(
    {
      refusal: FieldRefusal.invalid_language,
      test: isLanguage,
      message: 'must be a BCP 47 language tag such as de or pt-BR',
    },
    { example: 'de', ...options },
  );
}

function isLanguage(text: string): boolean {
  try {
    return text.length <= 35 && Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
