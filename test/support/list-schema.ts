import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { listSchema } from '../../src/platform/database/schema-listing.js';
import { openTestServer } from './database-server.js';
import { rowTypes } from './row-types.js';
import { schemaText } from './schema-text.js';

// npm run schema, after a migration was added or changed: what all of them make, for `integrity` to
// compare with, for the types of rows, and for people to read.

const FILE = 'src/platform/database/migrated-schema.json';
const TYPES = 'src/platform/database/tables.ts';
const TEXT = 'docs/schema.sql';

const server = await openTestServer();
try {
  const url = new URL(server.url);
  url.pathname = `/${server.template}`;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query('BEGIN READ ONLY');
  const listing = await listSchema(client);
  await writeFile(TEXT, await schemaText(client));
  await client.end();
  await writeFile(FILE, JSON.stringify(listing));
  await writeFile(TYPES, rowTypes(listing));
  execFileSync('node_modules/.bin/oxfmt', [FILE]);
  console.log(`${FILE}, ${TYPES}, ${TEXT}: ${Object.keys(listing.columns).length} tables`);
} finally {
  await server.stop();
}
