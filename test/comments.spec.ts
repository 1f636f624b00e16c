import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SDK = ['sdk/typescript/src', 'sdk/typescript/generate', 'sdk/python/generate'];
const FOLDERS = ['src', 'test', 'bench', 'migrations', ...SDK];

/** The rule says some 25; a few more make no sentence hard to read. */
const MOST_WORDS = 30;

/** A sentence that begins so is a clause, and has to be read twice. */
const CLAUSE =
  /^(?:(?:What|Whatever|Whichever|Who|Whoever|Whom|Whose|Where|Wherever)\b|Only\b.*\bmay\b)/;

/** Comments of a source by themselves: `/* *\/` blocks, and `//` lines that belong together. */
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm;

/** Its sentences. Tags, items of a list and indented samples of code stand alone. */
function sentencesOf(comment: string): string[] {
  return comment
    .replaceAll(/^[ \t]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/) ?|\*\/$/gm, '')
    .split(/\n\s*\n|\n(?=@|- )/)
    .filter((part) => !/^@(?:see|throws|table)|^ {2}/.test(part))
    .map((part) =>
      part
        .replace(/^@\w+ |^- /, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .flatMap((part) => part.split(/(?<=[.!?][)"]?) (?=[A-Z`"($\d])/))
    .filter((sentence) => sentence !== '');
}

const wordsIn = (sentence: string) =>
  sentence.split(' ').filter((word) => /\p{L}/u.test(word)).length;

const isHard = (sentence: string) => CLAUSE.test(sentence) || wordsIn(sentence) > MOST_WORDS;

const hardIn = (text: string) =>
  [...text.matchAll(COMMENT)].flatMap(([comment]) => sentencesOf(comment)).filter(isHard);

describe('a comment', () => {
  it('says who does what, in short sentences', () => {
    const paths = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.([cm]?[jt]s|tsx)$/.test(name))
        .map((name) => join(folder, name)),
    );
    expect(paths.length).toBeGreaterThan(500);
    const hard = paths.flatMap((path) =>
      hardIn(readFileSync(join(ROOT, path), 'utf8')).map((sentence) => `${path}: ${sentence}`),
    );
    expect(hard).toEqual([]);
  });

  it.each([
    '/** What a token says. */',
    '  // The token. Whoever has it may pay.',
    '/**\n * Locks it.\n * @param row where it is, and what\n */\n/** Only the owner may call. */',
    `/** ${'word '.repeat(MOST_WORDS)}word. */`,
    `// ${'word '.repeat(20)}\n// ${'word '.repeat(20)}\n`,
  ])('is found: %j', (text) => {
    expect(hardIn(text)).toHaveLength(1);
  });

  it.each([
    '/** The claims of a token. It says what it says. */',
    `/**\n * ${'word '.repeat(MOST_WORDS)}.\n *\n * ${'word '.repeat(MOST_WORDS)}\n */`,
    'const text = `Who is it?`; // Where it ends',
    `/**\n * - ${'word '.repeat(20)}\n * - ${'word '.repeat(20)}\n */`,
  ])('is not found: %j', (text) => {
    expect(hardIn(text)).toEqual([]);
  });
});
