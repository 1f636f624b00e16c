import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describedApi } from './openapi-file.js';

// npm run openapi -- <file>: the OpenAPI document, for linters and generators.

const [file = 'openapi.json'] = process.argv.slice(2);
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(await describedApi(), null, 2)}\n`);
