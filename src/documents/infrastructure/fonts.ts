import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PACKAGE = '@fontsource/noto-sans';
const WEIGHTS = [400, 600, 700];
const require = createRequire(import.meta.url);

interface Subset {
  ranges: [from: number, to: number][];
  styleSheet: string;
}

// One file a script and weight; each with the characters it is meant for.
const subsets: Subset[] = Object.entries(
  require(`${PACKAGE}/unicode.json`) as Record<string, string>,
).map(([name, unicodeRange]) => ({
  ranges: unicodeRange.split(',').map(parseRange),
  styleSheet: WEIGHTS.map((weight) => fontFace(name, weight, unicodeRange)).join('\n'),
}));

/**
 * The fonts that a text needs, as a style sheet with nothing to fetch. Printing works without any
 * system font, and a plain English invoice does not carry Greek.
 */
export function fontFacesFor(text: string): string {
  const characters = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const needed = subsets.filter(({ ranges }) =>
    characters.some((code) => ranges.some(([from, to]) => code >= from && code <= to)),
  );
  return needed.map(({ styleSheet }) => styleSheet).join('\n');
}

function fontFace(subset: string, weight: number, unicodeRange: string): string {
  const file = require.resolve(`${PACKAGE}/files/noto-sans-${subset}-${weight}-normal.woff2`);
  const data = readFileSync(file).toString('base64');
  return (
    `@font-face{font-family:'Noto Sans';font-weight:${weight};unicode-range:${unicodeRange};` +
    `src:url(data:font/woff2;base64,${data}) format('woff2')}`
  );
}

/** `U+0100-02BA` or `U+0131`. */
function parseRange(range: string): [number, number] {
  const [from = '0', to = from] = range.replace('U+', '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}
