import {
  DomainError,
  type DomainErrorKind,
  type ErrorContext,
  type FieldError,
} from './domain-error.js';

/** One refusal that a caller may branch on. Throws, routes, the OpenAPI document and docs/errors.md follow it. */
export class DomainRefusal {
  constructor(
    readonly code: string,
    readonly kind: DomainErrorKind,
    /** Its sentence; where that has facts, with those of an example. */
    readonly example: string,
  ) {}

  of(detail = this.example, context?: ErrorContext, errors?: readonly FieldError[]): DomainError {
    return new DomainError(this.kind, this.code, detail, context, errors);
  }

  /** Of one field of the body. */
  at(pointer: string, detail = this.example, context?: ErrorContext): DomainError {
    return this.of(detail, context, [this.field(pointer, detail)]);
  }

  /** One of several wrong fields. */
  field(pointer: string, message = this.example): FieldError {
    return { pointer, code: this.code, message };
  }

  /** With the seconds after which the caller may try again. */
  later(seconds = 1, detail = this.example): DomainError {
    return this.of(detail, { retry_after: seconds });
  }

  is(error: unknown): error is DomainError {
    return error instanceof DomainError && error.code === this.code;
  }
}

type Told = Partial<Record<DomainErrorKind, Readonly<Record<string, string>>>>;
type CodesIn<Of> = { [Kind in keyof Of]: keyof Of[Kind] }[keyof Of] & string;

/** The refusals of one subject: examples by code, by kind. */
export function domainRefusals<const Of extends Told>(
  told: Of,
): Readonly<Record<CodesIn<Of>, DomainRefusal>> {
  const made = Object.entries(told).flatMap(([kind, examples]) =>
    Object.entries(examples).map(([code, example]) => [
      code,
      new DomainRefusal(code, kind as DomainErrorKind, example),
    ]),
  );
  return Object.fromEntries(made) as Record<CodesIn<Of>, DomainRefusal>;
}
