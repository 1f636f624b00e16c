import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { shownName, pointerStep } from '../excerpt.js';
import { Findings } from './findings.js';
import { invalidQuery } from '../problem.js';
import type { ProblemCode } from '../problem-catalog.js';
import { type Field, declaredFields, type Rule } from './rules.js';

/** These are not validated: path parameters, and types that say nothing of their fields. */
const WITHOUT_RULES = new Set<unknown>([undefined, String, Number, Boolean, Array, Object, Buffer]);

/** Refuses bodies with 422 and every wrong field, and query parameters with 400. */
@Injectable()
export class RequestValidation implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // Parameters of our own decorators (the caller, the idempotency key) come from us.
    if (type === 'custom' || WITHOUT_RULES.has(metatype)) return value;
    const findings = new Findings();
    const judged = rulesOf(metatype as Type<object>).judge((value ?? {}) as Plain, '', findings);
    if (findings.errors.length === 0) return judged;
    if (type === 'body') throw DomainError.invalidFields(findings.errors, findings.isCut);
    throw invalidQuery(findings.errors);
  }
}

/** A part of a body, judged as a body of its own. @throws DomainError with every wrong field */
export function validated<Body extends object>(type: Type<Body>, sent: unknown): Body {
  if (!isObject(sent)) throw DomainError.invalid('invalid_object', '', 'It must be an object.');
  const findings = new Findings();
  const judged = rulesOf(type).judge(sent, '', findings);
  if (findings.errors.length > 0) throw DomainError.invalidFields(findings.errors, findings.isCut);
  return judged as Body;
}

type Plain = Record<string, unknown>;

function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The rules of a class, looked up once. A list is counted before its items are looked at, and enough
 * errors end the walk.
 */
export class BodyRules {
  private readonly fields: readonly Field[];
  private readonly names: ReadonlySet<string>;

  constructor(private readonly type: Type<object>) {
    this.fields = declaredFields(type);
    this.names = new Set(this.fields.map(({ name }) => name));
  }

  /** Makes an instance of the class from what was sent. */
  judge(sent: Plain, pointer: string, findings: Findings): object {
    for (const name of Object.keys(sent)) {
      if (findings.isFull) return sent;
      if (!this.names.has(name)) findings.add(unknownField(pointer, name));
    }
    return this.judgeFields(sent, pointer, findings);
  }

  /** @internal */
  judgeFields(sent: Plain, pointer: string, findings: Findings): object {
    const body = new this.type() as Plain;
    for (const { name, tidying } of this.fields) {
      if (Object.hasOwn(sent, name)) body[name] = tidied(tidying, sent[name]);
    }
    const nested = this.fields.filter((field) => {
      const isRight = judgeField(field, body, pointer, findings);
      return field.of && isRight && body[field.name] != null;
    });
    for (const { name, of } of nested) {
      if (of) body[name] = judgeNested(of(), body[name], pointer + pointerStep(name), findings);
    }
    return body;
  }
}

const known = new WeakMap<object, BodyRules>();

function rulesOf(type: Type<object>): BodyRules {
  let rules = known.get(type);
  if (!rules) known.set(type, (rules = new BodyRules(type)));
  return rules;
}

/** Only single values are tidied. */
function tidied(tidying: Field['tidying'], value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return value;
  return tidying.reduce((tidy, step) => step(tidy), value);
}

function judgeNested(type: Type<object>, value: unknown, at: string, findings: Findings): unknown {
  const rules = rulesOf(type);
  if (!Array.isArray(value)) return rules.judge(value as Plain, at, findings);
  const judged: object[] = [];
  for (const [index, item] of value.entries()) {
    if (findings.isFull) break;
    const pointer = at + pointerStep(index);
    if (isObject(item)) judged.push(rules.judge(item, pointer, findings));
    else if (item === null) findings.add(refused(pointer, 'required', `${index} is required`));
    else findings.add(refused(pointer, 'invalid_object', `${index} must be an object`));
  }
  return judged;
}

/** @returns whether it obeys its rules */
function judgeField(field: Field, body: Plain, parent: string, findings: Findings): boolean {
  const { name, rules, isOptional, conditions } = field;
  const value = body[name];
  if (isOptional && value == null) return true;
  if (!conditions.every((holds) => holds(value, body))) return true;
  const broken = rules.findLast((rule) => isBroken(rule, value));
  if (!broken) return true;
  for (const error of errorsOf(broken, field, value, parent + pointerStep(name))) {
    findings.add(error);
  }
  return false;
}

function isBroken(rule: Rule, value: unknown): boolean {
  return !rule.test(value) || wrongEntries(rule, value).length > 0;
}

function wrongEntries({ entries }: Rule, value: unknown): string[] {
  if (!entries) return [];
  const all = Object.entries(value as object);
  return all.flatMap(([name, entry]) => (entries.test(entry, name) ? [] : [name]));
}

/** One error, or one for each wrong entry of a list or an object. */
function errorsOf(rule: Rule, { name }: Field, value: unknown, pointer: string) {
  if (value == null) return [refused(pointer, 'required', `${name} is required`)];
  const { code, message, entries } = rule;
  if (!entries || !rule.test(value)) {
    const says = typeof message === 'string' ? message : message(value);
    return [refused(pointer, code, `${name} ${says}`)];
  }
  return wrongEntries(rule, value).map((entry) =>
    refused(pointer + pointerStep(entry), code, `${name}${pointerStep(entry)} ${entries.message}`),
  );
}

function refused(pointer: string, code: ProblemCode, sentence: string) {
  return { pointer, code, message: `${sentence}.` };
}

function unknownField(parent: string, name: string) {
  const sentence = `${shownName(name)} is not a field of this request; leave it out`;
  return refused(parent + pointerStep(name), 'unknown_field', sentence);
}

const OF_NESTED = ['required', 'invalid_object'] as const;

/** Every code by which a body of this class may be refused. */
export function refusalsOf(type: Type<object>, seen = new Set<object>()): Set<ProblemCode> {
  const codes = new Set<ProblemCode>(['unknown_field', 'validation_failed']);
  if (seen.has(type)) return codes;
  seen.add(type);
  for (const { rules, isOptional, of } of declaredFields(type)) {
    for (const { code } of rules) codes.add(code);
    if (!isOptional) codes.add('required');
    if (!of) continue;
    for (const inner of refusalsOf(of(), seen)) codes.add(inner);
    for (const inner of OF_NESTED) codes.add(inner);
  }
  return codes;
}
