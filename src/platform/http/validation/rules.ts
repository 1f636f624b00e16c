import type { Type } from '@nestjs/common';
import type { ProblemCode } from '../problem-catalog.js';

/** One rule of a field. */
export interface Rule {
  code: ProblemCode;
  test: (value: unknown) => boolean;
  /** The end of a sentence that begins with the field. */
  message: string | ((value: unknown) => string);
  /** The rule of each value in a list or an object that passes `test`. Each has its own pointer. */
  entries?: { test: (entry: unknown, name: string) => boolean; message: string };
}

/** A field of a body or a query, as its decorators say. */
export interface Field {
  name: string;
  /** In the order of their decorators. */
  rules: Rule[];
  /** They make of a single value what is judged and kept. */
  tidying: ((value: unknown) => unknown)[];
  isOptional: boolean;
  /** It is only judged where all of them hold. */
  conditions: ((value: unknown, body: Readonly<Record<string, unknown>>) => boolean)[];
  /** The class of its object, or of the objects in its list, which are judged by themselves. */
  of?: () => Type<object>;
}

const declared = new WeakMap<object, Map<string, Field>>();

function fieldAt(prototype: object, property: string | symbol): Field {
  const fields = declared.get(prototype) ?? new Map<string, Field>();
  declared.set(prototype, fields);
  const name = String(property);
  const field = fields.get(name) ?? {
    name,
    rules: [],
    tidying: [],
    isOptional: false,
    conditions: [],
  };
  fields.set(name, field);
  return field;
}

export const Must =
  (rule: Rule): PropertyDecorator =>
  (prototype, property) => {
    fieldAt(prototype, property).rules.push(rule);
  };

/** It may be absent or null, and then obeys no rule. */
export const MayMiss = (): PropertyDecorator => (prototype, property) => {
  fieldAt(prototype, property).isOptional = true;
};

export const JudgedIf =
  (condition: Field['conditions'][number]): PropertyDecorator =>
  (prototype, property) => {
    fieldAt(prototype, property).conditions.push(condition);
  };

/** Makes of a single value what is judged and kept. */
export const Tidied =
  (tidy: (value: unknown) => unknown): PropertyDecorator =>
  (prototype, property) => {
    fieldAt(prototype, property).tidying.push(tidy);
  };

export const Holds =
  (of: () => Type<object>): PropertyDecorator =>
  (prototype, property) => {
    fieldAt(prototype, property).of = of;
  };

/** The fields of a class: its own, then those of the classes that it extends. */
export function declaredFields(type: Type<object>): Field[] {
  const fields = new Map<string, Field>();
  let prototype = type.prototype as object | null;
  for (; prototype; prototype = Object.getPrototypeOf(prototype) as object | null) {
    for (const field of declared.get(prototype)?.values() ?? []) {
      if (!fields.has(field.name)) fields.set(field.name, field);
    }
  }
  return [...fields.values()];
}

/** Gives a class a field that was not made by decorators of its own. */
export function declareField(type: Type<object>, field: Field): void {
  Object.assign(fieldAt(type.prototype as object, field.name), field);
}
