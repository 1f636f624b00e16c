import { z } from 'zod';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { MOST_ERRORS } from '../problem.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

// A shape of the wire (request, query, answer) is a zod schema: its type, its rules and its place in
// the OpenAPI document follow from it.

/** The fields of an answer or a request. */
type Fields = z.core.$ZodLooseShape;

/** JSON Schema of a field, as far as zod does not say it by itself. */
export type JsonSchema = Record<string, unknown>;

declare module 'zod' {
  interface GlobalMeta {
    /** Those by which a value of the field may be refused. */
    refusals?: readonly DomainRefusal[];
  }
}

/** The sentence of a refusal with its code before it. A value that is not there is always `required`. */
export function refusedAs(
  { code }: DomainRefusal,
  says: string | ((value: unknown) => string),
): z.core.$ZodErrorMap {
  return ({ input }) => {
    if (input == null) return 'required: is required';
    return `${code}: ${typeof says === 'string' ? says : says(input)}`;
  };
}

const NO_OBJECT = refusedAs(FieldRefusal.invalid_object, 'must be an object');

/** A body, or an object in one, with a name in the OpenAPI document. Other fields are refused. */
export function requestShape<Shape extends Fields>(name: string, fields: Shape) {
  return z.strictObject(fields, { error: NO_OBJECT }).meta({ id: name });
}

/** The parameters of a query. Others are refused. */
export function queryShape<Shape extends Fields>(fields: Shape) {
  return z.strictObject(fields);
}

/** An answer, or an object in one. */
export function answerShape<Shape extends Fields>(name: string, fields: Shape) {
  return z.object(fields).meta({ id: name });
}

/** The optional schemas, and what each is of: a patch tells null from absent. */
const optional = new WeakMap<object, z.ZodType>();

/** A field that may be absent, or null, which obeys no rule and stays: some calls mean none by it. */
export function mayMiss<Value>(schema: z.ZodType<Value>): z.ZodOptional<z.ZodType<Value>> {
  const field = schema.optional();
  const { run } = field._zod;
  field._zod.run = (payload, context) => (payload.value === null ? payload : run(payload, context));
  optional.set(field, schema);
  return field;
}

/** Any of the fields, and null where a field may be empty. */
type Patched<Shape extends Fields> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodOptional<infer Inner extends z.core.SomeType>
    ? z.ZodOptional<z.ZodNullable<Inner>>
    : z.ZodOptional<Shape[Name]>;
};

/**
 * The fields of a JSON Merge Patch (RFC 7396), one level deep. An absent field stays. Null clears an
 * optional field, and is refused as `required` for the others. Every other value obeys the rule of
 * its field. Lists and objects are replaced as a whole.
 */
export function patchOf<Shape extends Fields>(fields: Shape): Patched<Shape> {
  const patched = Object.entries(fields).map(([name, field]) => {
    const inner = optional.get(field);
    return [name, inner ? inner.nullable().optional() : (field as z.ZodType).optional()];
  });
  return Object.fromEntries(patched) as Patched<Shape>;
}

/** Some of the fields of a shape. */
export function some<Shape extends Fields, const Names extends readonly (keyof Shape)[]>(
  fields: Shape,
  names: Names,
): Pick<Shape, Names[number]> {
  const taken = Object.entries(fields).filter(([name]) => names.includes(name));
  return Object.fromEntries(taken) as Pick<Shape, Names[number]>;
}

/** All but some of the fields of a shape. */
export function allBut<Shape extends Fields, const Names extends readonly (keyof Shape)[]>(
  fields: Shape,
  names: Names,
): Omit<Shape, Names[number]> {
  const left = Object.entries(fields).filter(([name]) => !names.includes(name));
  return Object.fromEntries(left) as Omit<Shape, Names[number]>;
}

/** Refusals of an object or a list of objects inside a body. */
export const OF_OBJECT: readonly DomainRefusal[] = [FieldRefusal.invalid_object];
export const OF_LIST: readonly DomainRefusal[] = [
  FieldRefusal.invalid_list,
  FieldRefusal.too_few_items,
  FieldRefusal.too_many_items,
  FieldRefusal.invalid_object,
];

/**
 * A list of objects. zod looks at all items, and counts them then. Here a list is counted before its
 * items are looked at, and enough errors end the walk (decision 222).
 */
export function boundedList<Item extends z.ZodType>(
  item: () => Item,
  { min = 1, max }: { min?: number; max: number },
): z.ZodArray<Item> {
  const list = z.array(z.lazy(item)) as unknown as z.ZodArray<Item>;
  const noList = refusedAs(FieldRefusal.invalid_list, 'must be a list');
  const tooFew = refusedAs(FieldRefusal.too_few_items, `must have at least ${min} item`);
  const tooMany = refusedAs(FieldRefusal.too_many_items, `must have at most ${max} items`);
  list._zod.run = (payload, context) => {
    const { value } = payload as { value: unknown };
    const refuse = (error: z.core.$ZodErrorMap) => {
      payload.issues.push({ code: 'custom', path: [], input: value, inst: list, ...said(error) });
      return payload;
    };
    if (!Array.isArray(value)) return refuse(noList);
    if (value.length < min) return refuse(tooFew);
    if (value.length > max) return refuse(tooMany);
    const items: z.core.output<Item>[] = [];
    for (const [index, one] of (value as unknown[]).entries()) {
      if (wrongFields(payload.issues) > MOST_ERRORS) break;
      const judged = item()._zod.run({ value: one, issues: [] }, context) as z.core.ParsePayload;
      payload.issues.push(...z.core.util.prefixIssues(index, judged.issues));
      items.push(judged.value as z.core.output<Item>);
    }
    payload.value = items;
    return payload;

    function said(error: z.core.$ZodErrorMap) {
      return { message: String(error({ code: 'custom', input: value, path: [] } as never)) };
    }
  };
  return list;
}

/** zod tells all unknown fields of an object at once. */
const wrongFields = (issues: readonly z.core.$ZodRawIssue[]) =>
  issues.reduce((sum, issue) => sum + ('keys' in issue ? (issue.keys as []).length : 1), 0);

/** Every refusal of a value of a shape. */
export function refusalsOf(shape: z.core.$ZodType, seen = new Set<object>()): Set<DomainRefusal> {
  const own = z.globalRegistry.get(shape)?.refusals as readonly DomainRefusal[] | undefined;
  const found = new Set(own);
  if (seen.has(shape)) return found;
  seen.add(shape);
  const { def } = (shape as z.core.$ZodTypes)._zod;
  if (def.type === 'object') {
    found.add(FieldRefusal.unknown_field).add(FieldRefusal.validation_failed);
  }
  for (const inner of innerShapes(def)) {
    for (const refusal of refusalsOf(inner, seen)) found.add(refusal);
  }
  return found;
}

function innerShapes(def: z.core.$ZodTypes['_zod']['def']): readonly z.core.$ZodType[] {
  if (def.type === 'object') return Object.values(def.shape);
  if (def.type === 'array') return [def.element];
  if (def.type === 'lazy') return [def.getter()];
  if (def.type === 'pipe') return [def.out];
  if (def.type === 'optional' || def.type === 'nullable') return [def.innerType];
  return [];
}

/** Of a shape with a name, where it stands in the OpenAPI document. */
export function referenceTo(shape: z.core.$ZodType): { $ref: string } {
  return { $ref: `#/components/schemas/${z.globalRegistry.get(shape)?.id ?? ''}` };
}

/** How a shape is told in the OpenAPI document, with the named shapes that it has. */
export function toJsonSchema(shape: z.core.$ZodType) {
  const { properties, definitions } = z.toJSONSchema(z.object({ it: shape }), {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema['refusals'];
      delete jsonSchema['id'];
      // Whether others are refused depends on where an object stands.
      if (jsonSchema['additionalProperties'] === false) delete jsonSchema.additionalProperties;
    },
  });
  const told = JSON.stringify({ schema: properties?.['it'], components: definitions ?? {} });
  return JSON.parse(told.replaceAll('"#/definitions/', '"#/components/schemas/')) as {
    schema: JsonSchema;
    components: Record<string, JsonSchema>;
  };
}

/** The body of a call that takes no field; anything sent is refused as unknown. */
export const NoFields = requestShape('NoFields', {});
export type NoFields = z.output<typeof NoFields>;
