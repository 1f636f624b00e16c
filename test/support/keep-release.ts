import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { shareTestServer } from './database-server.js';
import { keptRelease } from './kept-release.js';
import { startTestService } from './service.js';

// A step of `npm run release`: the database of this version, for the tests of later ones.

const [version = '', file = ''] = process.argv.slice(2);
const server = await shareTestServer();
const service = await startTestService();
try {
  const kept = await keptRelease(version, service);
  await writeFile(file, gzipSync(JSON.stringify(kept), { level: 9 }));
} finally {
  await service.close();
  await server.stop();
}
