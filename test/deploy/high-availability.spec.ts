import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/* The files that `npm run faults:cluster` fills in and runs, and the page that tells of them. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = 'deploy/high-availability';
const page = readFileSync(join(ROOT, 'docs/high-availability.md'), 'utf8');
const files = readdirSync(join(ROOT, FOLDER));

it('says what stands for each placeholder of the files, and names each file', () => {
  const texts = files.map((name) => readFileSync(join(ROOT, FOLDER, name), 'utf8'));
  const used = new Set(texts.flatMap((text) => text.match(/<[A-Z]+>/g) ?? []));
  const told = new Set(
    [...page.matchAll(/^\| (`<.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/<[A-Z]+>/g)),
  );
  expect([...told].toSorted()).toEqual([...used].toSorted());
  for (const name of files) expect(page).toContain(`${FOLDER}/${name}`);
});
