import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { release } from './release.js';

// npm run release -- 0.2.0              versions, changelog, files, commit and tag
// npm run release -- 0.2.0 --dry-run    only what would keep it from being made
// npm run release -- 0.2.0 --into files/0.2.0

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, into: { type: 'string' } },
});
const [version = '', ...more] = positionals;
if (more.length > 0) throw new Error('one version at a time');
const root = fileURLToPath(new URL('..', import.meta.url));
try {
  await release({
    version,
    root,
    folder: resolve(root, values.into ?? `files/${version}`),
    day: new Date().toISOString().slice(0, 10),
    dryRun: values['dry-run'],
    say: (line) => console.log(line),
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
