import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicApi } from './public-api.js';

// npm run api: the face of the package, for docs/api/. With a folder: its declarations, to be packed.

const [folder] = process.argv.slice(2);
const { entries, declarations } = publicApi();
const files = folder
  ? [...declarations]
  : entries.map(({ file, report }) => [file, report] as const);
const into = folder ?? fileURLToPath(new URL('../../docs/api/', import.meta.url));
await mkdir(into, { recursive: true });
await Promise.all(files.map(async ([name, text]) => writeFile(join(into, name), text)));
