import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = 'docs/decisions';
const INDEX = `${FOLDER}/README.md`;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Decision {
  file: string;
  number: number;
  text: string;
  title: string;
  status: string;
  /** The number of the decision that changed or replaced it. */
  by: number | undefined;
}

const HEAD =
  /^# (\d+)\. (.+)\n\n20\d\d-\d\d-\d\d\. Status: (holds|withdrawn|(?:changed|replaced) by \[(\d+)\]\((.+)\))\n\n/;
const TEXTS = /^Decision: .+?\n\nWhy: .+?\n\nWould change it: .+?\n$/s;

const decisions = readdirSync(join(ROOT, FOLDER))
  .filter((file) => file !== 'README.md')
  .sort()
  .map((file): Decision => {
    const text = read(`${FOLDER}/${file}`);
    const [, number, title = '', linked = '', by] = HEAD.exec(text) ?? [];
    const status = linked.replaceAll(/\[(\d+)\]\(.+\)/g, '$1');
    return { file, number: Number(number), text, title, status, by: by ? Number(by) : undefined };
  });
const numbers = new Set(decisions.map(({ number }) => number));

/** "decision 35", "decisions 12 and 183". */
const mentioned = (text: string) =>
  [...text.matchAll(/\bdecisions? (\d+(?:(?:, | and )\d+)*)/gi)].flatMap(([, list = '']) =>
    list.split(/, | and /).map(Number),
  );

const SDK = ['sdk/typescript/src', 'sdk/typescript/generate', 'sdk/python/generate'];
const speaking = ['src', 'test', 'bench', 'migrations', 'docs', 'docker', ...SDK].flatMap(
  (folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs|sql|md|json|ya?ml)$/.test(name) && !name.includes('frozen'))
      .map((name) => join(folder, name)),
);

describe('each decision', () => {
  it('has a number without a gap, which its file begins with', () => {
    expect(decisions.map(({ number }) => number)).toEqual(decisions.map((_, at) => at + 1));
    const odd = decisions.filter(
      ({ file, number }) =>
        !/^\d{3}-[a-z0-9-]+\.md$/.test(file) || Number.parseInt(file) !== number,
    );
    expect(odd).toEqual([]);
  });

  it('says its status, what was decided, why, and what would change it', () => {
    const held = decisions.filter(({ status }) => /^(holds|changed)/.test(status));
    expect(held.length).toBeGreaterThan(200);
    const odd = held.filter(({ text }) => !TEXTS.test(text.replace(HEAD, '')));
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  it('is short', () => {
    const long = decisions.filter(({ text }) => text.split(/\s+/).length > 150);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  it('is changed or replaced by a later one, to which it links', () => {
    const odd = decisions.filter(
      ({ number, by, text }) =>
        by !== undefined &&
        (by <= number || HEAD.exec(text)?.[5] !== decisions.find((it) => it.number === by)?.file),
    );
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  it('stands in the index', () => {
    const rows = read(INDEX)
      .split('\n')
      .filter((line) => /^\|\d/.test(line));
    expect(rows).toEqual(
      decisions.map(
        ({ number, title, file, status }) => `|${number}|[${title}](${file})|${status}|`,
      ),
    );
  });
});

describe('a mention of a decision', () => {
  it('names one that there is', () => {
    const all = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...speaking];
    const found = all.flatMap((path) => mentioned(read(path)).map((number) => ({ path, number })));
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  it.each([
    ['see decision 41.', [41]],
    ['Decisions 12, 36 and 183 say', [12, 36, 183]],
    ['refund-decisions.ts has 7', []],
  ])('is read in %j', (text, expected) => {
    expect(mentioned(text)).toEqual(expected);
  });
});
