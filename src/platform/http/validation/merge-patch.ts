import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { takeFields } from './composed-bodies.js';

/** A patch may have any of the fields, and null where a field may be empty. */
export type MergePatch<Whole> = {
  [Field in keyof Whole]?: undefined extends Whole[Field] ? Whole[Field] | null : Whole[Field];
};

/**
 * The class of a JSON Merge Patch (RFC 7396), one level deep. An absent field stays. Null clears an
 * optional field, and is refused as `required` for the others. Every other value obeys the rule of
 * its field. Lists and objects are replaced as a whole.
 */
export function MergePatchOf<Whole extends object>(whole: Type<Whole>): Type<MergePatch<Whole>> {
  const patch = class {} as Type<MergePatch<Whole>>;
  takeFields(patch, whole, {
    described: (schema) => {
      const isNullable = schema.required === false;
      return {
        ...schema,
        required: false,
        ...(isNullable && { nullable: true }),
      } as ApiPropertyOptions;
    },
    judged: (field) => ({ ...field, conditions: [...field.conditions, isSent] }),
  });
  return patch;
}

const isSent = (value: unknown) => value !== undefined;
