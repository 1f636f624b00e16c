import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asOpenApi30 } from '../../src/platform/http/openapi/version-30.js';
import { describedApi } from './openapi-file.js';

// npm run openapi -- <file>: the OpenAPI document, for linters and generators; with 3.0 behind it, in that version.

const [file = 'openapi.json', version] = process.argv.slice(2);
await mkdir(dirname(file), { recursive: true });
const document = await describedApi();
const written = version === '3.0' ? asOpenApi30(document) : document;
await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
