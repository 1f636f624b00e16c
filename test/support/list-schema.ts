import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { listSchema } from '../../src/platform/database/schema-listing.js';
import { openTestServer } from './database-server.js';

// npm run schema, after a migration was added or changed: lists what all of them make.

const FILE = 'src/platform/database/migrated-schema.ts';

const server = await openTestServer();
try {
  const url = new URL(server.url);
  url.pathname = `/${server.template}`;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query('BEGIN READ ONLY');
  const listing = await listSchema(client);
  await client.end();
  await writeFile(
    FILE,
    `// Written by \`npm run schema\`: what the migrations make, for \`integrity\` to compare with.
import type { SchemaListing } from './schema-listing.js';

/* oxlint-disable max-lines */
export const MIGRATED_SCHEMA: SchemaListing = ${JSON.stringify(listing, null, 2)};
`,
  );
  execFileSync('node_modules/.bin/prettier', ['--write', '--log-level', 'warn', FILE]);
  console.log(`${FILE}: ${Object.keys(listing).length} definitions`);
} finally {
  await server.stop();
}
