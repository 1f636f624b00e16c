/** A statement as a trace names it: `UPDATE documents INSERT payments`, and its text without values. */
interface StatementName {
  /** The first word. */
  operation: string;
  name: string;
  text: string;
}

const CHANGE = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]\w*)/g;
/** A table, not a function, a subquery or a part of a date. */
const TABLE = /\b(?:FROM|JOIN)\s+(?!unnest\b|LATERAL\b)([a-z_]\w*)\b(?!\s*\()/;
const LITERAL = /'[^']*'/g;
/** Of other quotes nobody knows here where they end: then the text is not shown. */
const UNSURE = /\\|\$[a-z_]*\$/i;
const LONGEST_NAME = 160;
const LONGEST_TEXT = 2000;
const MOST_KEPT = 1000;

const known = new Map<string, StatementName>();

/** Literals go, too: an extension may have written a value into its text. */
export function statementName(text: string): StatementName {
  const found = known.get(text);
  if (found) return found;
  const plain = text.replaceAll(LITERAL, "'?'").replaceAll(/\s+/g, ' ').trim();
  const [first = 'SQL'] = /^\w+/.exec(plain) ?? [];
  const changes = Array.from(plain.matchAll(CHANGE), ([, verb = '', table = '']) => [
    verb.replace(/ .*/, ''),
    table,
  ]).filter(([, table]) => table !== 'set' && table !== 'skip');
  const read = TABLE.exec(plain)?.[1];
  const parts = changes.length > 0 ? changes : [[first, ...(read ? [read] : [])]];
  const made = {
    operation: changes[0]?.[0] ?? first,
    name: [...new Set(parts.map((part) => part.join(' ')))].join(' ').slice(0, LONGEST_NAME),
    text: UNSURE.test(text) ? '' : plain.slice(0, LONGEST_TEXT),
  };
  if (known.size < MOST_KEPT) known.set(text, made);
  return made;
}
