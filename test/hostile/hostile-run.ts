import { parseArgs } from 'node:util';
import type { LockedReport } from './locked-document.js';
import { attack, type Report } from './run.js';

// npm run hostile                                            all of it, some minutes
// npm run hostile -- --seed 7 --bodies 1000 --signatures 0   a part of it, the same each time

const LONGEST_STILL_MS = 150;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    bodies: { type: 'string', default: '30000' },
    signatures: { type: 'string', default: '100000' },
    'no-bombs': { type: 'boolean', default: false },
    locked: { type: 'string', default: '10' },
  },
});
const numbers = [values.seed, values.bodies, values.signatures, values.locked];
const [seed, bodies, signatures, lockedSeconds] = numbers.map((text) => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`not a whole number: ${text}`);
  return Number(text);
}) as [number, number, number, number];

const say = (line: string) => console.log(line);
const report = await attack({
  seed,
  bodies,
  signatures,
  bombs: !values['no-bombs'],
  lockedSeconds,
  say,
});
for (const [operation, statuses] of [...report.answers].sort()) {
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  say(`${operation.padEnd(44)} ${counts.join(', ')}`);
}
for (const [what, { count, examples }] of report.unexpected) {
  say(`UNEXPECTED ${count} x ${what}`);
  for (const example of examples) say(`  ${example}`);
}
const wrongs = wrongIn(report);
say(
  `\nseed ${seed}, ${report.sent} requests; largest answer ${report.largestBytes} B, ` +
    `largest refusal ${report.largestRefusalBytes} B; peak memory ${report.peakMemoryMb} MB`,
);
say(
  `with a rate limit: ${report.limited.passed} passed, ${report.limited.refused} refused with 429`,
);
if (report.locked) sayLocked(report.locked);
for (const wrong of wrongs) say(`WRONG ${wrong}`);
if (wrongs.length === 0) say('nothing unexpected, no difference in the books, still ready');
else process.exitCode = 1;

function sayLocked(locked: LockedReport): void {
  const { seconds, alone, beside, longestWaitMs } = locked;
  const rate = (payments: number) => (payments / seconds).toFixed(0);
  say(
    `one locked document: another account pays ${rate(alone)}/s by itself, ${rate(beside)}/s beside ` +
      `the flood; longest wait ${longestWaitMs.other} ms, of the flood ${longestWaitMs.flooder} ms`,
  );
  for (const answers of [locked.answersOfFlooder, locked.answersOfOther]) {
    say(`  ${[...answers].map(([answer, count]) => `${answer}: ${count}`).join(', ')}`);
  }
}

function wrongIn({ unexpected, loop, differences, isReady, limited, locked }: Report): string[] {
  const still = loop.filter(({ ownMs }) => ownMs > LONGEST_STILL_MS);
  return [
    ...[...unexpected].map(([what, { count }]) => `${count} x ${what}`),
    ...still.map(({ part, ownMs }) => `the loop stood still for ${ownMs} ms under ${part}`),
    ...differences.map((one) => `a difference in the books: ${one}`),
    ...(isReady ? [] : ['the service is not ready any more']),
    ...(locked?.wrong ?? []).map((one) => `beside one locked document: ${one}`),
    ...(limited.passed > limited.allowed ? [`${limited.passed} calls passed the rate limit`] : []),
  ];
}
