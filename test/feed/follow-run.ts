import { parseArgs } from 'node:util';
import { shareTestServer } from '../support/database-server.js';
import { startTestService } from '../support/service.js';
import { follow } from './following.js';

// npm run feed -- --events 100000 --held 60

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    held: { type: 'string', default: '60' },
  },
});
const server = await shareTestServer();
const service = await startTestService();
try {
  const startedMs = performance.now();
  const differences = await follow(
    service,
    { events: Number(values.events), heldMs: Number(values.held) * 1000, writers: 16, restarts: 3 },
    (sentence) => console.log(sentence),
  );
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exitCode = 1;
  else console.log(`none missed, none twice, all in order, ${seconds(startedMs)} s`);
} finally {
  await service.close();
  await server.stop();
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}
