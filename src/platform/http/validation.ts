import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { DomainError } from '../../kernel/domain-error.js';
import { excerpt, pointerStep } from './excerpt.js';
import { Findings } from './findings.js';
import { type EntryContext, NESTED_RULES, NoFields } from './fields.js';
import { invalidQuery } from './problem.js';
import { type ProblemCode, PROBLEMS } from './problem-catalog.js';

const CODES: Record<string, string> = {
  isArray: 'invalid_list',
  arrayMinSize: 'too_few_items',
  arrayMaxSize: 'too_many_items',
};
/** These are not validated: path parameters, and types that say nothing of their fields. */
const WITHOUT_RULES = new Set<unknown>([undefined, String, Number, Boolean, Array, Object, Buffer]);

rememberRules();

/** Refuses bodies with 422 and every wrong field, and query parameters with 400. */
@Injectable()
export class RequestValidation implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // Parameters of our own decorators (the caller, the idempotency key) come from us.
    if (type === 'custom' || WITHOUT_RULES.has(metatype)) return value;
    const { judged, errors, isCut } = judgedAs(metatype as Type<object>, (value ?? {}) as Plain);
    if (errors.length === 0) return judged;
    if (type === 'body') throw DomainError.invalidFields(errors, isCut);
    throw invalidQuery(errors);
  }
}

/** A part of a body, judged as a body of its own. @throws DomainError with every wrong field */
export function validated<Body extends object>(type: Type<Body>, sent: unknown): Body {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw DomainError.invalid('invalid_object', '', 'It must be an object.');
  }
  const { judged, errors, isCut } = judgedAs(type, sent as Plain);
  if (errors.length > 0) throw DomainError.invalidFields(errors, isCut);
  return judged as Body;
}

function judgedAs(type: Type<object>, sent: Plain) {
  const findings = new Findings();
  const judged = judge(type, sent, '', findings);
  return { judged, errors: findings.errors, isCut: findings.isCut };
}

type Plain = Record<string, unknown>;

/**
 * Makes an instance of its class from what was sent. We walk the objects ourselves, because
 * class-transformer and class-validator build and judge every item of every list before they say
 * anything. Here a list is counted before its items are looked at, and enough errors end the walk.
 */
function judge(type: Type<object>, sent: Plain, pointer: string, findings: Findings): object {
  const { names, nested } = fieldsOf(type);
  for (const name of Object.keys(sent)) {
    if (findings.isFull) return sent;
    if (!names.has(name)) findings.add(unknownField(pointer, name));
  }
  const instance = transformed(type, sent, names);
  if (type === NoFields) return instance;
  const wrong = new Set<string>();
  for (const error of validateSync(instance, { forbidUnknownValues: true })) {
    wrong.add(error.property);
    for (const wrongField of fieldErrors(error, pointer)) findings.add(wrongField);
  }
  for (const [name, inner] of nested) {
    const value = instance[name];
    if (wrong.has(name) || value === undefined || value === null) continue;
    const at = pointer + pointerStep(name);
    instance[name] = Array.isArray(value)
      ? judgeItems(inner(), value, at, findings)
      : judge(inner(), value as Plain, at, findings);
  }
  return instance;
}

function judgeItems(type: Type<object>, items: unknown[], pointer: string, findings: Findings) {
  const judged: object[] = [];
  for (const [index, item] of items.entries()) {
    if (findings.isFull) break;
    const at = pointer + pointerStep(index);
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      judged.push(judge(type, item as Plain, at, findings));
    } else if (item === null) {
      findings.add({ pointer: at, code: 'required', message: `${index} is required.` });
    } else {
      findings.add({ pointer: at, code: 'invalid_object', message: `${index} must be an object.` });
    }
  }
  return judged;
}

/** The fields that the class knows. Only single values are transformed. */
function transformed(type: Type<object>, sent: Plain, names: ReadonlySet<string>): Plain {
  const single: Plain = {};
  const composed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (!names.has(name)) continue;
    if (typeof value === 'object' && value !== null) composed.push([name, value]);
    else single[name] = value;
  }
  const instance = plainToInstance(type, single) as Plain;
  for (const [name, value] of composed) instance[name] = value;
  return instance;
}

interface Fields {
  names: ReadonlySet<string>;
  /** Objects and lists of objects of another class. */
  nested: [name: string, type: () => Type<object>][];
}

const FIELDS = new WeakMap<object, Fields>();

function fieldsOf(type: Type<object>): Fields {
  const known = FIELDS.get(type);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields: Fields = {
    names: new Set(rules.map(({ propertyName }) => propertyName)),
    nested: rules.flatMap(({ name, propertyName, constraints }) =>
      NESTED_RULES.has(name ?? '') ? [[propertyName, constraints[0] as () => Type<object>]] : [],
    ),
  };
  FIELDS.set(type, fields);
  return fields;
}

const OF_NESTED = ['required', 'invalid_object'] as const;

/** Every code by which a body of this class may be refused. */
export function refusalsOf(type: Type<object>, seen = new Set<object>()): Set<ProblemCode> {
  const codes = new Set<ProblemCode>(['unknown_field', 'validation_failed']);
  if (seen.has(type)) return codes;
  seen.add(type);
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const optional = rules.filter(({ name }) => name === 'isOptional');
  const mayMiss = new Set(optional.map(({ propertyName }) => propertyName));
  for (const { name = '', propertyName, constraints } of rules) {
    const code = CODES[name] ?? name;
    if (code in PROBLEMS) codes.add(code as ProblemCode);
    if (!mayMiss.has(propertyName)) codes.add('required');
    if (!NESTED_RULES.has(name)) continue;
    for (const inner of refusalsOf((constraints[0] as () => Type<object>)(), seen))
      codes.add(inner);
    for (const inner of OF_NESTED) codes.add(inner);
  }
  return codes;
}

/**
 * Keeps the rules of each class: class-validator goes through all classes for each object it judges.
 * We look them up with the same options everywhere, so the class alone is their key.
 */
function rememberRules(): void {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const found = new WeakMap<object, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (target, schema, ...options) => {
    const known = found.get(target);
    if (known) return known;
    const rules = find(target, schema, ...options);
    found.set(target, rules);
    return rules;
  };
}

function unknownField(parent: string, name: string) {
  return {
    pointer: parent + pointerStep(name),
    code: 'unknown_field',
    message: `${excerpt(name)} is not a field of this request; leave it out.`,
  };
}

/** The errors of one field: one, or one for each wrong entry of a list or an object. */
function fieldErrors({ property, value, constraints = {}, contexts }: ValidationError, at: string) {
  const pointer = at + pointerStep(property);
  if (value === undefined || value === null) {
    return [{ pointer, code: 'required', message: `${property} is required.` }];
  }
  // Constraints come in the order of decorators. A value that is no list is not also "too many".
  const broken = Object.entries(constraints);
  const [constraint = '', message] =
    broken.find(([name]) => name === 'isArray') ?? broken.at(-1) ?? [];
  const code = CODES[constraint] ?? constraint;
  const entries = contexts?.[constraint] as EntryContext | undefined;
  const wrong = entries?.wrongIn(value) ?? [];
  if (wrong.length === 0) return [{ pointer, code, message: `${property} ${message}.` }];
  return wrong.map((name) => ({
    pointer: pointer + pointerStep(name),
    code,
    message: `${property}${pointerStep(name)} ${entries?.message}.`,
  }));
}
