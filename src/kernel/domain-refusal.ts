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

  /** Its sentence as it stands, and facts beside it. */
  with(context: ErrorContext): DomainError {
    return this.of(this.example, context);
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

type Examples = Readonly<Record<string, string>>;
type Told = Partial<Record<DomainErrorKind, Examples>>;
type CodesIn<Of> = { [Group in keyof Of]: keyof Of[Group] }[keyof Of] & string;

/** The refusals of one subject: examples by code, by kind. */
export function domainRefusals<const Of extends Told>(told: Of) {
  return byCode(
    told,
    (code, kind, example) => new DomainRefusal(code, kind as DomainErrorKind, example),
  );
}

/** @param told examples by code, by what a group of them has in common */
export function byCode<Of extends object, Refusal>(
  told: Of,
  make: (code: string, group: string, example: string) => Refusal,
): Readonly<Record<CodesIn<Of>, Refusal>> {
  const made = Object.entries<Examples>(told as never).flatMap(([group, examples]) =>
    Object.entries(examples).map(([code, example]) => [code, make(code, group, example)]),
  );
  return Object.fromEntries(made) as Record<CodesIn<Of>, Refusal>;
}
