import type { z } from 'zod';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { shownName } from './excerpt.js';
import { field, passing } from './validation/fields.js';
import { parameter } from './validation/standard-fields.js';

/** As many names as a document has, and some within them. */
const MOST_NAMES = 100;

/** The fields that a caller wants of each entry of a list (decision 297). */
export class SelectedFields {
  private readonly inner = new Map<string, SelectedFields | null>();

  /** Adds a field, or one inside of it: the whole of a field is more than a part. */
  add([name = '', ...rest]: readonly string[]): this {
    const known = this.inner.get(name);
    if (rest.length === 0) this.inner.set(name, null);
    else if (known !== null) {
      this.inner.set(name, (known ?? new SelectedFields()).add(rest));
    }
    return this;
  }

  /** With this field, too, or with the part of it that is selected already. */
  with(name: string): this {
    return this.inner.has(name) ? this : this.add([name]);
  }

  /** Those of the entry itself, whether whole or in part. */
  names(): string[] {
    return [...this.inner.keys()];
  }

  /** The same entry without its other fields. Lists in it keep their length. */
  of<Body>(body: Body): Body {
    if (Array.isArray(body)) return body.map((item: unknown) => this.of(item)) as Body;
    if (typeof body !== 'object' || body === null) return body;
    const selected: Record<string, unknown> = {};
    for (const [name, inner] of this.inner) {
      const value = (body as Record<string, unknown>)[name];
      if (value !== undefined) selected[name] = inner ? inner.of(value) : value;
    }
    return selected as Body;
  }
}

/** A presenter of the fields that the query asks for; of all without `fields`. */
export const selecting = <Row, Body>(
  { fields }: { fields?: SelectedFields | undefined },
  present: (row: Row) => Body,
): ((row: Row) => Body) => (fields ? (row) => fields.of(present(row)) : present);

type Shape = z.core.$ZodType;
type Shapes = Readonly<Record<string, Shape>>;

/** The parameter `fields` of a list whose entries have this shape. */
export function fieldsParameter(entry: () => Shape) {
  const rule = passing<SelectedFields>(
    FieldRefusal.not_in_list,
    (value) => value instanceof SelectedFields,
    (value) => (value instanceof WrongNames ? value.sentence : 'must be names of fields'),
  );
  const schema = {
    type: 'array',
    items: { type: 'string', pattern: '^\\w+(\\.\\w+)*$' },
    maxItems: MOST_NAMES,
  };
  const said = field(rule, [FieldRefusal.not_in_list], schema, {
    optional: true,
    description:
      'Only these fields of each entry, with commas between them, and dots before those inside of ' +
      `a field; at most ${MOST_NAMES}. \`id\` is always there, if entries have one. Every other ` +
      'property of an entry may be absent then.',
  });
  return parameter((text) => readNames(text, entry()), said);
}

/** Names that the entries of a list do not have, with those that they have. */
class WrongNames {
  constructor(readonly sentence: string) {}
}

function readNames(text: string, entry: Shape): SelectedFields | WrongNames {
  const names = text.split(',', MOST_NAMES + 1);
  if (names.length > MOST_NAMES) return new WrongNames(`must be at most ${MOST_NAMES} names`);
  const selected = new SelectedFields();
  if (Object.hasOwn(shapesIn(entry) ?? {}, 'id')) selected.add(['id']);
  const unknown = new Set<string>();
  const allowed = new Map<string, Shapes | null>();
  for (const name of names) {
    const steps = name.split('.');
    const wrong = wrongPlace(entry, steps);
    if (!wrong) selected.add(steps);
    else {
      unknown.add(shownName(name) || 'an empty name');
      allowed.set(wrong.of, wrong.inner);
    }
  }
  return unknown.size === 0 ? selected : new WrongNames(sentenceOf([...unknown], allowed));
}

/** A problem cuts its texts at 1,000 characters; both halves of this one are to be read. */
const SHOWN_UNKNOWN = 500;
const SHOWN_ALLOWED = 400;

function sentenceOf(unknown: string[], allowed: ReadonlyMap<string, Shapes | null>): string {
  const words = new Set(unknown.flatMap(wordsOf));
  const isNear = (name: string) => wordsOf(name).some((word) => words.has(word));
  const told = [...allowed].map(([of, inner]) => {
    const names = Object.keys(inner ?? {});
    const sorted = [...names.filter(isNear), ...names.filter((name) => !isNear(name))];
    const shown = inner
      ? someOfNames(sorted, SHOWN_ALLOWED / allowed.size)
      : 'nothing: ask for all of it';
    return of ? `inside ${shownName(of)} ${shown}` : shown;
  });
  return (
    `must be names that the entries have, and none has ${someOfNames(unknown, SHOWN_UNKNOWN)}. ` +
    `There are ${told.join('; ')}. /v1/openapi.json has all`
  );
}

const wordsOf = (name: string) => name.toLowerCase().split(/[._]/).filter(Boolean);

/** As many as fit, at least one, and how many more there are. */
function someOfNames(names: readonly string[], most: number): string {
  let length = 0;
  const shown = names.filter((name, at) => (length += name.length + 2) <= most || at === 0);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The first field that has not the next one inside; undefined if all of them are there. */
function wrongPlace(
  entry: Shape,
  steps: readonly string[],
): { of: string; inner: Shapes | null } | undefined {
  let at = entry;
  for (const [index, step] of steps.entries()) {
    const inner = shapesIn(at);
    const next = inner && Object.hasOwn(inner, step) ? inner[step] : undefined;
    if (!next) return { of: steps.slice(0, index).join('.'), inner };
    at = next;
  }
  return undefined;
}

/** The fields of an object, or of those in a list; null where names are not known beforehand. */
function shapesIn(shape: Shape): Shapes | null {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape;
  if (def.type === 'array') return shapesIn(def.element);
  if (def.type === 'lazy') return shapesIn(def.getter());
  if (def.type === 'optional' || def.type === 'nullable') return shapesIn(def.innerType);
  if (def.type === 'union') {
    const options = def.options.map(shapesIn).filter((one) => one !== null);
    return options.length > 0 ? Object.assign({}, ...options) : null;
  }
  return null;
}
