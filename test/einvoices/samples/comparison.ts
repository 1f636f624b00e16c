import { membersOf, oneLine, type Said } from './said.js';
import { decimalIn } from './xml-decimal.js';

/** A term of a sample that our file says otherwise, or not. */
export interface Difference {
  term: string;
  /** Lines and other members of groups: `BG-25 2`. */
  at: string;
  sample: string | null;
  ours: string | null;
}

const termsOf = (numbers: string) => numbers.split(' ').map((number) => `BT-${number}`);

/** Lines, discounts and charges, taxes and totals: what a reader calculates with. */
const FIGURES = new Set([
  ...termsOf('92 95 96 99 102 103 129 130 131 136 141 146 149 151 152'),
  ...termsOf('106 107 108 109 110 111 112 113 114 115 116 117 118 119'),
  'BG-20',
  'BG-21',
  'BG-23',
  'BG-25',
  'BG-27',
  'BG-28',
]);

export const isFigure = ({ term }: Difference) => FIGURES.has(term);

/** Percentages, bases and list prices are numbers, too; codes are none. */
const FURTHER_NUMBERS = termsOf('93 94 100 101 137 138 142 143 147 148');
const CODES = new Set(termsOf('95 102 118 130 151'));
const NUMBERS = new Set([...FIGURES, ...FURTHER_NUMBERS].filter((term) => !CODES.has(term)));

/** They are constants of a profile. */
const PROFILES_OWN = new Set(['BT-24']);

/** Said or not is the same: there is none, or it is for one. */
const USUAL = new Map([
  ...'BT-96 BT-103 BT-107 BT-108 BT-110 BT-113 BT-114 BT-119 BT-147 BT-152'
    .split(' ')
    .map((term): [string, string] => [term, '0']),
  ['BT-149', '1'],
]);

/** Numbers and accounts that people write with gaps. */
const COMPACT = new Set(['BT-31', 'BT-48', 'BT-63', 'BT-84', 'BT-91']);

/** Terms of a sample that our file says otherwise, and figures that only ours has. */
export function differencesOf(sample: Said, ours: Said, at = ''): Difference[] {
  const terms = new Set([...sample.terms.keys(), ...ours.terms.keys()]);
  const found = [...terms].flatMap((term): Difference[] => {
    const [one, other] = [sample.terms.get(term), ours.terms.get(term)];
    if (PROFILES_OWN.has(term) || (one === undefined && !FIGURES.has(term))) return [];
    if (plain(term, one) === plain(term, other)) return [];
    return [{ term, at, sample: one ?? null, ours: other ?? null }];
  });
  const groups = new Set([...sample.groups.keys(), ...ours.groups.keys()]);
  return [...found, ...[...groups].flatMap((group) => inGroup(group, sample, ours, at))];
}

function inGroup(group: string, sample: Said, ours: Said, at: string): Difference[] {
  const left = [...membersOf(ours, group)];
  const found = membersOf(sample, group).flatMap((member, index): Difference[] => {
    const place = `${at}${at && ' '}${group} ${index + 1}`;
    const compared = left.map((other) => differencesOf(member, other, place));
    // Lines have an order; of the others, each is held against the one that is most like it.
    const nearest = group === 'BG-25' ? 0 : leastOf(compared.map(({ length }) => length));
    const differences = compared[nearest];
    left.splice(nearest, 1);
    return differences ?? [{ term: group, at: place, sample: wordsOf(member), ours: null }];
  });
  if (!FIGURES.has(group)) return found;
  const further = left.map((other) => ({ term: group, at, sample: null, ours: wordsOf(other) }));
  return [...found, ...further];
}

function leastOf(numbers: readonly number[]): number {
  return Math.max(0, numbers.indexOf(Math.min(...numbers)));
}

const wordsOf = ({ terms }: Said) => [...terms.values()].join(' ');

function plain(term: string, text: string | undefined): string | undefined {
  const said = text ?? USUAL.get(term);
  if (said === undefined) return undefined;
  if (NUMBERS.has(term)) return decimalIn(said)?.toString() ?? said;
  if (COMPACT.has(term)) return said.replaceAll(/[\s.-]/g, '').toUpperCase();
  return oneLine(said);
}
