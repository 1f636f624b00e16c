import type { ReadElement } from '../xml-reader.js';

/** Terms of EN 16931 by their ids, as a file says them: `BT-10`, and lists of groups such as `BG-25`. */
export interface Said {
  terms: Map<string, string>;
  groups: Map<string, Said[]>;
}

/**
 * The places of the terms in a syntax. A path is of element names, with a condition in brackets and an
 * attribute at its end: `a:PartyTaxScheme[a:TaxScheme/b:ID=VAT]/b:CompanyID@schemeID`. Of several
 * paths, the first that leads to a text counts.
 */
export interface Places {
  terms: Record<string, string | string[]>;
  groups?: Record<string, [path: string | string[], of: Places]>;
}

export function saidAt(from: ReadElement, { terms, groups = {} }: Places): Said {
  const said: Said = { terms: new Map(), groups: new Map() };
  for (const [id, paths] of Object.entries(terms)) {
    const [text] = [paths].flat().flatMap((path) => textsAt(from, path));
    if (text !== undefined) said.terms.set(id, PARAGRAPHS.has(id) ? text : oneLine(text));
  }
  for (const [id, [paths, of]] of Object.entries(groups)) {
    const found = [paths].flat().flatMap((path) => elementsAt(from, path));
    const members = found.map((one) => saidAt(one, of)).filter(saysSomething);
    if (members.length > 0) said.groups.set(id, members);
  }
  return said;
}

/** They may have lines; what breaks any other text is how its file is laid out. */
const PARAGRAPHS = new Set(['BT-20', 'BT-22', 'BT-33', 'BT-120', 'BT-127', 'BT-153', 'BT-154']);

export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

const saysSomething = ({ terms, groups }: Said) => terms.size > 0 || groups.size > 0;

/** The members of a group; none where it is not said. */
export function membersOf(said: Said, id: string): Said[] {
  return said.groups.get(id) ?? [];
}

/** The texts at a path that are not empty, days as ISO 8601 has them. */
function textsAt(from: ReadElement, path: string): string[] {
  const [, elements = '', attribute] = /^(.*?)(?:@(\w+))?$/.exec(path) ?? [];
  return elementsAt(from, elements)
    .map((one) =>
      attribute === undefined ? textOf(one) : (one.attributes[attribute] ?? '').trim(),
    )
    .filter((text) => text !== '');
}

function elementsAt(from: ReadElement, path: string): ReadElement[] {
  const steps = [...path.matchAll(/([\w:]+)(?:\[([^\]]*)\])?/g)];
  return steps.reduce<ReadElement[]>(
    (found, [, name = '', condition]) =>
      found
        .flatMap(({ children }) => children.filter((one) => one.name === name))
        .filter((one) => condition === undefined || isAsSaid(one, condition)),
    [from],
  );
}

/** `path=value`, or `path!=value`, which holds where there is nothing at the path, too. */
function isAsSaid(element: ReadElement, condition: string): boolean {
  const [, path = '', not, value] = /^([^!=]*)(!?)=(.*)$/.exec(condition) ?? [];
  const isThere = textsAt(element, path).some((text) => text === value);
  return not === '!' ? !isThere : isThere;
}

const DAY = /^(\d{4})(\d{2})(\d{2})$/;
const DAYS = new Set(['udt:DateTimeString', 'qdt:DateTimeString', 'udt:DateString']);

/** XML Schema has two words for each. */
const TRUTHS: Record<string, string> = { '0': 'false', '1': 'true' };
const FLAGS = new Set(['b:ChargeIndicator', 'udt:Indicator']);

function textOf({ name, text }: ReadElement): string {
  const trimmed = text.trim();
  if (FLAGS.has(name)) return TRUTHS[trimmed] ?? trimmed;
  return DAYS.has(name) ? trimmed.replace(DAY, '$1-$2-$3') : trimmed;
}
