import { shownName, pointerStep } from '../excerpt.js';
import { HttpProblem } from '../problem.js';
import { RequestRefusal } from '../request-refusals.js';

/** The limits of a JSON text, counted over the whole of it. */
export interface JsonLimits {
  keys: number;
  /** The names that differ from each other: each costs more than all its repeats. */
  differentKeys?: number;
  /** The items of all lists together; an empty list counts as one. */
  items: number;
  /** Levels of objects and lists, the outermost included. */
  depth: number;
}

/** An object or a list that the scan is inside of. */
interface Level {
  /** The names so far; null in a list. */
  names: Set<string> | null;
  /** The name, or the index, of the value that is being read. */
  at: string | number;
  /** True if the next text is a name of an object. */
  isName: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A name that was written with escapes, and where it stands in the text, without its quotes. */
export interface EscapedName {
  name: string;
  begin: number;
  end: number;
}

/**
 * Judges a JSON text in one pass, before anything is built from it. It does not say whether it is
 * well-formed: JSON.parse does that afterwards, if the text is small enough (decision 39).
 */
export function scanJson(text: string, limits: JsonLimits): EscapedName[] {
  const escaped: EscapedName[] = [];
  const levels: Level[] = [];
  const different = new Set<string>();
  const { differentKeys = Infinity } = limits;
  let level: Level | undefined;
  let keys = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfText(text, at + 1);
        if (level?.names && level.isName) {
          if ((keys += 1) > limits.keys) throw tooComplex(limits.keys, 'names');
          const raw = text.slice(at + 1, end);
          const name = unescaped(raw);
          if (name !== raw) {
            refuseUnspeakable(name);
            escaped.push({ name, begin: at + 1, end });
          }
          takeName(level, level.names, name, levels);
          if (differentKeys < limits.keys) different.add(name);
          if (different.size > differentKeys) throw tooComplex(differentKeys, 'different names');
        }
        at = end;
        break;
      }
      case COMMA:
        if (!level) break;
        if (level.names) level.isName = true;
        else {
          level.at = Number(level.at) + 1;
          if ((items += 1) > limits.items) throw tooComplex(limits.items, 'items');
        }
        break;
      case OPEN_OBJECT:
        level = { names: new Set(), at: '', isName: true };
        levels.push(level);
        if (levels.length > limits.depth) throw tooDeep(limits.depth);
        break;
      case OPEN_LIST:
        level = { names: null, at: 0, isName: false };
        levels.push(level);
        if (levels.length > limits.depth) throw tooDeep(limits.depth);
        if ((items += 1) > limits.items) throw tooComplex(limits.items, 'items');
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        levels.pop();
        level = levels.at(-1);
    }
  }
  return escaped;
}

/** The index of the closing quote, or the length of the text if there is none. */
function endOfText(text: string, begin: number): number {
  let at = begin;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function takeName(level: Level, names: Set<string>, name: string, levels: Level[]): void {
  level.isName = false;
  level.at = name;
  if (name === '__proto__') {
    throw RequestRefusal.malformed_json.of('__proto__ is no field; leave it out.');
  }
  if (names.has(name)) {
    const pointer = levels.map(({ at }) => pointerStep(at)).join('');
    throw duplicateKey(pointer, `${shownName(name)} stands twice in one object; send it once.`);
  }
  names.add(name);
}

/** A character that only an escape can write. `respelled` writes the others plainly. */
function refuseUnspeakable(name: string): void {
  if (JSON.stringify(name) === `"${name}"`) return;
  throw RequestRefusal.malformed_json.of(
    'A name holds a quote, a backslash or a control character; leave those out of names.',
  );
}

/** Two spellings of one name are one name. JSON.parse refuses an escape without meaning. */
function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

function tooDeep(depth: number): HttpProblem {
  return RequestRefusal.malformed_json.of(
    `It nests deeper than ${depth} levels. Correct it and send it again.`,
  );
}

function tooComplex(most: number, what: string): HttpProblem {
  return RequestRefusal.body_too_complex.of(
    `The body has more than ${most} ${what}, which is more than this call takes; send less at once.`,
  );
}

/** Readers differ in which of two equal names they believe. */
export function duplicateKey(pointer: string, message: string): HttpProblem {
  const errors = [RequestRefusal.duplicate_key.field(pointer, message)];
  return RequestRefusal.duplicate_key.of(message, {}, { errors });
}
