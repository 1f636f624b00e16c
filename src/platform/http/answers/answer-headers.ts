import type { Response } from 'express';

export const ANSWER_FIELDS = 'quittance:answer-fields';

/** The fields of an answer that its headers tell. */
export interface AnswerFields {
  /** It is the `ETag`, where the answer has it. */
  tag: string;
  /** The path of a new thing below `/v1/`, with fields in braces; null: it has none. */
  at: string | null;
}

const FIELD = /\{([\w.]+)\}/g;

/**
 * Tells the version of an answer as `ETag`, which `If-Match` takes, and the address of a new thing as
 * `Location`. A stored answer has the headers that it had.
 */
export function tellFields(
  response: Response,
  { tag, at }: AnswerFields,
  { status, body, baseUrl }: { status: number; body: object; baseUrl: string },
): void {
  const version = fieldOf(body, tag);
  if (version != null) response.setHeader('ETag', `"${version}"`);
  if (at === null || status !== 201) return;
  const path = at.replace(FIELD, (_, field: string) => encodeURIComponent(fieldOf(body, field)));
  response.setHeader('Location', `${baseUrl}/v1/${path}`);
}

/** @param path such as `payment.id` */
function fieldOf(body: object, path: string): string {
  const field = path.split('.').reduce<unknown>((at, name) => (at as never)[name], body);
  return field as string;
}
