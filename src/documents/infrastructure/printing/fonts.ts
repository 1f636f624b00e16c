import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { create, Font } from 'fontkit';

const require = createRequire(import.meta.url);

/** One file for each weight, with the characters that it is meant for. */
interface Subset {
  family: Family;
  package: string;
  name: string;
  unicodeRange: string;
  ranges: [from: number, to: number][];
  /** The characters that it really has, once somebody asked. */
  glyphs?: ReadonlySet<number>;
  styleSheet?: string;
}

interface Family {
  name: string;
  weights: readonly number[];
}

// Faces of one family have the same weights (decision 124): a browser takes one, then looks for
// characters.
const LETTERS: Family = { name: 'Noto Sans', weights: [400, 600, 700] };
const SYMBOLS: Family = { name: 'Noto Sans Symbols', weights: [400] };
const HAN: Family = { name: 'Noto Sans Han', weights: [400, 700] };

/** As `font-family` of a style sheet has it. */
export const FONT_FAMILIES = [LETTERS, SYMBOLS, HAN].map(({ name }) => `'${name}'`).join(', ');

/** Latin letters and digits of every script are those of the first family. */
const OF_THE_FIRST = /^(latin|cyrillic|greek|vietnamese)/;

/** Each has a package of its own. */
const SCRIPTS =
  'arabic hebrew devanagari thai armenian bengali canadian-aboriginal cherokee ethiopic georgian ' +
  'gujarati gurmukhi kannada khmer lao malayalam myanmar oriya sinhala syriac tamil telugu thaana';
const IN_ONE_WEIGHT = ['mongolian', 'tifinagh'];

const letters = [
  ...subsetsOf(LETTERS, 'noto-sans', (name) => name !== 'devanagari'),
  ...SCRIPTS.split(' ').flatMap((script) =>
    subsetsOf(LETTERS, `noto-sans-${script}`, (name) => name === script),
  ),
  // Noto has no sans of it.
  ...subsetsOf(LETTERS, 'noto-serif-tibetan', (name) => name === 'tibetan'),
];
const symbols = [
  ...IN_ONE_WEIGHT.flatMap((script) =>
    subsetsOf(SYMBOLS, `noto-sans-${script}`, (name) => name === script),
  ),
  ...subsetsOf(SYMBOLS, 'noto-sans-symbols', (name) => name === 'symbols'),
  ...subsetsOf(SYMBOLS, 'noto-sans-symbols-2', (name) => !OF_THE_FIRST.test(name)),
  ...subsetsOf(SYMBOLS, 'noto-sans-math', () => true),
];
const han = Object.fromEntries(
  ['sc', 'jp', 'kr'].map((script) => [
    script,
    subsetsOf(HAN, `noto-sans-${script}`, (name) => !OF_THE_FIRST.test(name)),
  ]),
);

/** Chinese, Japanese and Korean write the same character in different shapes. */
const FIRST_HAN: Record<string, string> = { ja: 'jp', ko: 'kr' };

interface Choice {
  /** The first has priority. */
  subsets: Subset[];
  byCharacter: Map<string, Subset | null>;
}
const choices = new Map<string, Choice>();

/**
 * The fonts that a text needs, as a style sheet with nothing to fetch. Printing works without any
 * system font, and a plain English invoice does not carry Greek.
 *
 * @param language BCP 47
 */
export function fontFacesFor(text: string, language: string): string {
  const choice = choiceFor(language);
  const needed = new Set([...new Set(text)].map((character) => subsetWith(character, choice)));
  // Of faces with one name, the last that has a character draws it.
  return choice.subsets
    .filter((subset) => needed.has(subset))
    .toReversed()
    .map((subset) => (subset.styleSheet ??= styleSheetOf(subset)))
    .join('\n');
}

/**
 * The characters of a text that cannot be printed as they are: no font has them, or they are
 * controls, or turn the letters behind them around.
 */
export function withoutGlyph(text: string): string[] {
  const choice = choiceFor('en');
  return [...new Set(text)].filter(
    (character) =>
      NEVER_PRINTED.test(character) ||
      (!isInvisible(character) && subsetWith(character, choice) === null),
  );
}

/** Controls, embeddings and overrides; isolates and marks of direction are enough for real texts. */
const NEVER_PRINTED = /[^\P{Cc}\t\n\r]|[\u{202a}-\u{202e}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/u;

function choiceFor(language: string): Choice {
  const first = FIRST_HAN[language.slice(0, 2)] ?? 'sc';
  let choice = choices.get(first);
  if (!choice) {
    const others = Object.keys(han).filter((script) => script !== first);
    const drawn = [first, ...others].flatMap((script) => han[script] ?? []);
    choice = { subsets: [...letters, ...symbols, ...drawn], byCharacter: new Map() };
    choices.set(first, choice);
  }
  return choice;
}

function subsetWith(character: string, { subsets, byCharacter }: Choice): Subset | null {
  let subset = byCharacter.get(character);
  if (subset === undefined) {
    const code = character.codePointAt(0) ?? 0;
    subset = subsets.find((one) => isMeant(one, code) && glyphsOf(one).has(code)) ?? null;
    byCharacter.set(character, subset);
  }
  return subset;
}

/** Blanks, joiners and marks of direction need no glyph. */
function isInvisible(character: string): boolean {
  return /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(character);
}

function isMeant({ ranges }: Subset, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

/** A subset is meant for more characters than its font has. */
function glyphsOf(subset: Subset): ReadonlySet<number> {
  return (subset.glyphs ??= new Set((fontReader()(fileOf(subset, 400)) as Font).characterSet));
}

/** Loaded with the first text: most commands of the operator print none. */
function fontReader(): typeof create {
  return (require('fontkit') as { create: typeof create }).create;
}

function subsetsOf(family: Family, name: string, isWanted: (subset: string) => boolean): Subset[] {
  const all = require(`@fontsource/${name}/unicode.json`) as Record<string, string>;
  return Object.entries(all).flatMap(([subset, unicodeRange]) =>
    isWanted(subset)
      ? [
          {
            family,
            package: name,
            // Some are numbered: `[12]`.
            name: subset.replaceAll(/[[\]]/g, ''),
            unicodeRange,
            ranges: unicodeRange.split(',').map(parseRange),
          },
        ]
      : [],
  );
}

function styleSheetOf(subset: Subset): string {
  const { name, weights } = subset.family;
  return weights
    .map((weight) => {
      const data = fileOf(subset, weight).toString('base64');
      return (
        `@font-face{font-family:'${name}';font-weight:${weight};` +
        `unicode-range:${subset.unicodeRange};` +
        `src:url(data:font/woff2;base64,${data}) format('woff2')}`
      );
    })
    .join('\n');
}

function fileOf({ package: folder, name }: Subset, weight: number): Buffer {
  return readFileSync(
    require.resolve(`@fontsource/${folder}/files/${folder}-${name}-${weight}-normal.woff2`),
  );
}

/** `U+0100-02BA` or `U+0131`. */
function parseRange(range: string): [number, number] {
  const [from = '0', to = from] = range.trim().replace('U+', '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}
