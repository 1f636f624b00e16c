import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';

/** A patch may have any of the fields, and null where a field may be empty. */
export type MergePatch<Whole> = {
  [Field in keyof Whole]?: undefined extends Whole[Field] ? Whole[Field] | null : Whole[Field];
};

/** @nestjs/swagger keeps what `ApiProperty` said under these names, and does not export them. */
const FIELDS = 'swagger/apiModelPropertiesArray';
const SCHEMA = 'swagger/apiModelProperties';

/**
 * The class of a JSON Merge Patch (RFC 7396), one level deep. An absent field stays. Null clears an
 * optional field, and is refused as `required` for the others. Every other value obeys the rule of
 * its field. Lists and objects are replaced as a whole.
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
