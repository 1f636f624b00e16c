import type { Answer } from '../../support/http.js';

export interface Refusal {
  code: string;
  pointer: string;
}

/** Fields by which a document is calculated: without them it is another one. */
const CALCULATED_WITH = [
  /^\/(?:kind|currency|lines|customer|rounding_amount)$/,
  /^\/lines\/\d+\/(?:quantity|unit|unit_amount_decimal|price_base_quantity)$/,
  /\/(?:amount|percent|tax_rate|tax_category)$/,
];

/** More rounds than depths of a request: what lacks a required field is left out, too. */
const MOST_ROUNDS = 6;

/**
 * Sends a body. Of what is refused, particulars such as a wrong BIC are left out, and it is sent again.
 * @param at where the body stands in what is told
 * @returns what is refused in spite of it
 */
export async function taken(
  body: object,
  at: string,
  leftOut: Refusal[],
  send: (body: object) => Promise<Answer>,
): Promise<{ answer: Answer; refusals: Refusal[] }> {
  let sent = JSON.parse(JSON.stringify(body)) as object;
  for (let round = 1; ; round += 1) {
    const answer = await send(sent);
    if (answer.status < 300) return { answer, refusals: [] };
    const refusals = refusalsIn(answer);
    const told = refusals.map(({ code, pointer }) => ({ code, pointer: `${at}${pointer}` }));
    const mayBeLeftOut = refusals.every(
      ({ pointer }) => pointer !== '' && !CALCULATED_WITH.some((field) => field.test(pointer)),
    );
    if (!mayBeLeftOut || round === MOST_ROUNDS) return { answer, refusals: told };
    const before = JSON.stringify(sent);
    sent = without(sent, refusals);
    if (JSON.stringify(sent) === before) return { answer, refusals: told };
    leftOut.push(...told.filter(({ code }) => code !== 'required'));
  }
}

function refusalsIn({ status, body, text }: Answer): Refusal[] {
  const { code, errors } = body as { code?: string; errors?: Refusal[] };
  if (status >= 500 || code === undefined) throw new Error(text);
  if (!errors?.length) return [{ code, pointer: '' }];
  return errors.map((one) => ({ code: one.code, pointer: one.pointer }));
}

/** Later members of a list go first, so that pointers to the earlier ones stay right. */
function without(body: object, refusals: readonly Refusal[]): object {
  const copy = JSON.parse(JSON.stringify(body)) as object;
  for (const { code, pointer } of refusals.toReversed()) {
    const path = pointer.split('/').slice(1);
    // It is missing because it was left out: the whole that it belongs to goes.
    remove(copy, code === 'required' ? path.slice(0, -1) : path);
  }
  return copy;
}

function remove(from: object, path: readonly string[]): void {
  const [step = '', ...rest] = path;
  const inside = (from as Record<string, unknown>)[step];
  if (rest.length > 0) {
    if (typeof inside === 'object' && inside !== null) remove(inside, rest);
  } else if (Array.isArray(from)) from.splice(Number(step), 1);
  else delete (from as Record<string, unknown>)[step];
}
