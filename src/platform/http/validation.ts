import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { NoFields } from './fields.js';
import { HttpProblem } from './problem.js';

const CODES: Record<string, string> = {
  whitelistValidation: 'unknown_field',
  isArray: 'invalid_list',
  arrayMinSize: 'too_few_items',
  arrayMaxSize: 'too_many_items',
  nestedValidation: 'invalid_object',
};

rememberRules();

/** Bodies are refused with 422 and every wrong field; query parameters with 400. */
@Injectable()
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      validationError: { target: false, value: true },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Own parameters (the caller, the idempotency key) were made by us.
    if (metadata.type === 'custom') return value;
    if (metadata.metatype === NoFields) return refuseAnyField(value as object);
    const inherited = inheritedNames(value, '');
    if (inherited.length > 0) {
      throw metadata.type === 'body'
        ? DomainError.invalidFields(inherited)
        : refusedQuery(inherited);
    }
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error;
      throw metadata.type === 'body'
        ? DomainError.invalidFields(error.fields)
        : refusedQuery(error.fields);
    }
  }

  override createExceptionFactory() {
    return (errors: ValidationError[] = []) =>
      new InvalidFields(errors.flatMap((e) => flatten(e, '')));
  }
}

/**
 * For each object it judges, class-validator goes through all classes to find the rules of one.
 * They are looked up with the same options everywhere, so the class is enough to know them by.
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

class InvalidFields extends Error {
  constructor(readonly fields: FieldError[]) {
    super('invalid fields');
  }
}

/** Names that every object inherits are dropped by class-transformer; none is a field of ours. */
function inheritedNames(value: unknown, pointer: string): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name in Object.prototype ? [unknownField(pointer, name)] : []),
    // Metadata is the caller's own; only the one name that cannot be kept is refused there.
    ...(name === 'metadata'
      ? reserved(inner, `${pointer}/metadata`)
      : inheritedNames(inner, `${pointer}/${escaped(name)}`)),
  ]);
}

function reserved(metadata: unknown, pointer: string): FieldError[] {
  const named =
    typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, 'constructor');
  return named ? [unknownField(pointer, 'constructor')] : [];
}

/** class-validator takes a class without rules for a mistake. */
function refuseAnyField(body: object): object {
  const fields = Object.keys(body).map((name) => unknownField('', name));
  if (fields.length > 0) throw DomainError.invalidFields(fields);
  return body;
}

function unknownField(parent: string, name: string): FieldError {
  return {
    pointer: `${parent}/${escaped(name)}`,
    code: 'unknown_field',
    message: `${name} is not a field of this request; leave it out.`,
  };
}

/** RFC 6901. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function flatten(error: ValidationError, parent: string): FieldError[] {
  const pointer = `${parent}/${escaped(error.property)}`;
  const nested = (error.children ?? []).flatMap((child) => flatten(child, pointer));
  // The order is by decorator; what is no list is not also "too many".
  const broken = Object.entries(error.constraints ?? {});
  const [constraint, message] = broken.find(([name]) => name === 'isArray') ?? broken.at(-1) ?? [];
  if (!constraint) return nested;
  const code = CODES[constraint] ?? constraint;
  const name = error.property;
  if (code === 'unknown_field') return [unknownField(parent, name)];
  if (error.value === undefined || error.value === null) {
    return [{ pointer, code: 'required', message: `${name} is required.` }];
  }
  return [{ pointer, code, message: `${name} ${message}.` }, ...nested];
}

function refusedQuery(fields: FieldError[]): HttpProblem {
  const detail = fields.map((field) => field.message).join(' ');
  return new HttpProblem(400, 'invalid_query', detail);
}
