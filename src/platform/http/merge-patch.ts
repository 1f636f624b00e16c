import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';

/** A patch of a whole: any field or none, and null if a field may be empty. */
export type MergePatch<Whole> = {
  [Field in keyof Whole]?: undefined extends Whole[Field] ? Whole[Field] | null : Whole[Field];
};

/**
 * The keys under which @nestjs/swagger keeps what `ApiProperty` said; it exports no name for these.
 */
const FIELDS = 'swagger/apiModelPropertiesArray';
const SCHEMA = 'swagger/apiModelProperties';

/**
 * The class of a JSON Merge Patch (RFC 7396). An absent field stays. Null clears an optional one
 * and is refused as `required` for the others. Every given field obeys its own rule. One level
 * deep: lists and objects are replaced as a whole.
 */
export function MergePatchOf<Whole extends object>(whole: Type<Whole>): Type<MergePatch<Whole>> {
  const patch = PartialType(whole, { skipNullProperties: false });
  const prototype = whole.prototype as object;
  const fields = Reflect.getMetadata(FIELDS, prototype) as string[];
  for (const field of fields.map((name) => name.slice(1))) {
    const schema = Reflect.getMetadata(SCHEMA, prototype, field) as ApiPropertyOptions;
    if (schema.required !== false) continue;
    const nullable = { ...schema, nullable: true } as ApiPropertyOptions;
    ApiProperty(nullable)(patch.prototype as object, field);
  }
  return patch as Type<MergePatch<Whole>>;
}
