import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { type FieldError } from '../../../kernel/domain-error.js';
import { pointerStep, shownName } from '../excerpt.js';
import { MOST_ERRORS } from '../problem.js';
import { invalidQuery } from '../request-refusals.js';
import { FieldRefusal, invalidFields } from '../../../kernel/field-refusals.js';

type Step = PropertyKey;
type Issue = z.core.$ZodIssue;

type Errors = readonly FieldError[];

/** Judges what `@Body({ schema })` and `@Query({ schema })` name; other parameters have no rules. */
@Injectable()
export class RequestValidation implements PipeTransform {
  transform(value: unknown, { type, schema }: ArgumentMetadata): unknown {
    if (!schema) return value;
    const refuse = type === 'query' ? refuseQuery : refuseBody;
    return judged(schema as unknown as z.ZodType, value ?? {}, refuse);
  }
}

/** A part of a body, judged as a body of its own. @throws DomainError with every wrong field */
export function validated<Body>(shape: z.ZodType<Body>, sent: unknown): Body {
  return judged(shape, sent, refuseBody);
}

const refuseQuery = (errors: Errors) => invalidQuery(errors.slice(0, MOST_ERRORS));
const refuseBody = (errors: Errors) =>
  invalidFields(errors.slice(0, MOST_ERRORS), errors.length > MOST_ERRORS);

function judged<Body>(
  shape: z.ZodType<Body>,
  sent: unknown,
  refuse: (errors: Errors) => Error,
): Body {
  const { success, data, error } = shape.safeParse(sent);
  if (success) return data;
  throw refuse(errorsOf(error.issues));
}

/** One error for each wrong field: of an object first what it may not have, then its own, then the inner ones. */
function errorsOf(issues: readonly Issue[]): FieldError[] {
  const ranked = issues.flatMap(ranksOf).toSorted(byRank);
  const errors = new Map<string, FieldError>();
  for (const { pointer, error } of ranked) if (!errors.has(pointer)) errors.set(pointer, error);
  return [...errors.values()];
}

interface Ranked {
  steps: readonly Step[];
  ranks: readonly number[];
  pointer: string;
  error: FieldError;
}

const [UNKNOWN, OWN, INNER] = [0, 1, 2];

function ranksOf(issue: Issue): Ranked[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const sentence = `${shownName(key)} is not a field of this request; leave it out`;
      return ranked([...issue.path, key], FieldRefusal.unknown_field.code, sentence, UNKNOWN);
    });
  }
  const [, code = '', says = ''] = /^(\w+): (.*)$/s.exec(issue.message) ?? [];
  const isEntry = issue.code === 'custom' && issue.params?.['isEntry'] === true;
  const [field = '', entry] = issue.path.slice(isEntry ? -2 : -1).map(String);
  const name = entry === undefined ? field : field + pointerStep(entry);
  const sentence = issue.path.length === 0 ? `It ${says}` : `${name} ${says}`;
  const own = issue.path.length - (isEntry ? 2 : 1);
  return [ranked(issue.path, code, sentence, OWN, own)];
}

function ranked(
  steps: readonly Step[],
  code: string,
  sentence: string,
  last: number,
  own = steps.length - 1,
): Ranked {
  const pointer = steps.map((step) => pointerStep(step as string | number)).join('');
  const ranks = steps.map((step, at) =>
    typeof step === 'number' || at > own ? OWN! : at === own ? last : INNER!,
  );
  return { steps, ranks, pointer, error: { pointer, code, message: `${sentence}.` } };
}

/** Those of equal rank stay as zod found them, which is the order of the fields. */
function byRank(one: Ranked, other: Ranked): number {
  for (let at = 0; ; at += 1) {
    const [here, there] = [one.ranks[at], other.ranks[at]];
    if (here === undefined || there === undefined) return 0;
    if (here !== there) return here - there;
    if (one.steps[at] !== other.steps[at]) return 0;
  }
}
