import { globSync, readFileSync } from 'node:fs';
import { findingsIn } from './regular-expressions.js';

// A part of npm run lint: every regular expression of src takes time linear in its text.

const sources = globSync('src/**/*.{ts,tsx}');
const findings = sources.flatMap((path) =>
  findingsIn(path, readFileSync(path, 'utf8')).map(
    ({ line, pattern, why }) => `${path}:${line}: ${pattern} ${why}`,
  ),
);
if (sources.length === 0) throw new Error('no source was found');
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error('Scan the text, or write a pattern whose parts do not overlap: decision 41.');
  process.exitCode = 1;
}
