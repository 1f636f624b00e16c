// Loaded into the attacked service with --import: how long its event loop stood still, in lines of
// a file. Time in which the loop wanted to run and the machine ran others is not the service's.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 10;
const WORTH_A_LINE_MS = 30;
const path = process.env['HOSTILE_PROBE'];

/** The nanoseconds in which the first thread waited for a processor, by Linux. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

if (isMainThread && path && process.argv[1]?.includes('main')) {
  let [last, waited] = [performance.now(), waitedMs()];
  setInterval(() => {
    const [now, waitedNow] = [performance.now(), waitedMs()];
    const wallMs = now - last - TICK_MS;
    const ownMs = Math.max(0, wallMs - (waitedNow - waited));
    [last, waited] = [now, waitedNow];
    if (ownMs < WORTH_A_LINE_MS) return;
    appendFileSync(path, `${Date.now()} ${ownMs.toFixed(1)} ${wallMs.toFixed(1)}\n`);
  }, TICK_MS).unref();
}
