import { parseArgs } from 'node:util';
import { explained, run } from './calculation-check.js';

// npm run test:calculation -- --documents 1000000 --seed 7

const REPORT_EVERY = 10_000;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    from: { type: 'string', default: '0' },
  },
});
const [documents, seed, from] = [values.documents, values.seed, values.from].map((text) => {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`not a whole number: ${text}`);
  return Number(text);
}) as [number, number, number];

const coverage = new Map<string, number>();
const startedMs = performance.now();
console.log(`${documents} documents of seed ${seed}, from number ${from}`);
for (let start = from; start < from + documents; start += REPORT_EVERY) {
  const end = Math.min(start + REPORT_EVERY, from + documents);
  const part = run(seed, start, end);
  if (part.failure) {
    console.error(explained(seed, part.failure));
    process.exit(1);
  }
  for (const [trait, count] of part.coverage) {
    coverage.set(trait, (coverage.get(trait) ?? 0) + count);
  }
  if ((end - from) % (10 * REPORT_EVERY) === 0) console.log(`${end - from} equal so far`);
}

const seconds = (performance.now() - startedMs) / 1000;
const rate = Math.round(documents / seconds);
console.log(`${documents} equal in ${seconds.toFixed(1)} s: ${rate} documents/s, judged as well\n`);
for (const [trait, count] of [...coverage].sort(([one], [other]) => one.localeCompare(other))) {
  const percent = ((100 * count) / documents).toFixed(2);
  console.log(`${trait.padEnd(40)} ${String(count).padStart(9)} ${percent.padStart(7)} %`);
}
