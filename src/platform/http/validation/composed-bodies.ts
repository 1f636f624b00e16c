import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { declareField, type Field, declaredFields } from './rules.js';

// As @nestjs/swagger's IntersectionType, PickType and OmitType, which know other rules than ours.

/** @nestjs/swagger keeps what `ApiProperty` said under these names, and does not export them. */
const DESCRIBED = 'swagger/apiModelPropertiesArray';
const SCHEMA = 'swagger/apiModelProperties';
const TYPE = 'design:type';

interface Taking {
  only?: (name: string) => boolean;
  described?: (schema: ApiPropertyOptions) => ApiPropertyOptions;
  judged?: (field: Field) => Field;
}

/** Gives a class fields of another one: their rules, and how they are described. */
export function takeFields(into: Type<object>, from: Type<object>, taking: Taking = {}): void {
  const { only = () => true, described = same, judged = same } = taking;
  const [target, source] = [into.prototype as object, from.prototype as object];
  for (const marked of (Reflect.getMetadata(DESCRIBED, source) ?? []) as string[]) {
    const name = marked.slice(1);
    if (!only(name)) continue;
    const type = Reflect.getMetadata(TYPE, source, name) as unknown;
    if (type !== undefined) Reflect.defineMetadata(TYPE, type, target, name);
    ApiProperty(described(Reflect.getMetadata(SCHEMA, source, name)))(target, name);
  }
  for (const field of declaredFields(from)) if (only(field.name)) declareField(into, judged(field));
}

const same = <Thing>(thing: Thing): Thing => thing;

/** A class with the fields of both. */
export function BothOf<One extends object, Other extends object>(
  one: Type<One>,
  other: Type<Other>,
): Type<One & Other> {
  const both = class {} as Type<One & Other>;
  takeFields(both, one);
  takeFields(both, other);
  return both;
}

/** A class with some of the fields of another one. */
export function SomeFieldsOf<Whole extends object, Name extends keyof Whole>(
  whole: Type<Whole>,
  names: readonly Name[],
): Type<Pick<Whole, Name>> {
  const some = class {} as Type<Pick<Whole, Name>>;
  takeFields(some, whole, { only: (name) => names.includes(name as Name) });
  return some;
}

/** A class with all but some of the fields of another one. */
export function AllBut<Whole extends object, Name extends keyof Whole>(
  whole: Type<Whole>,
  names: readonly Name[],
): Type<Omit<Whole, Name>> {
  const rest = class {} as Type<Omit<Whole, Name>>;
  takeFields(rest, whole, { only: (name) => !names.includes(name as Name) });
  return rest;
}
