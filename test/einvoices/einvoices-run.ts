import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { E_INVOICE_PROFILES } from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { hunt } from './hunt.js';
import { printTimes, speeds } from './speed.js';

// npm run einvoices -- --documents 2000 --seed 7
// npm run einvoices -- --speed
// With --rules FOLDER, or EINVOICE_RULES, the official rules judge, too: docs/e-invoices.md.

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    profile: { type: 'string' },
    rules: { type: 'string', default: process.env['EINVOICE_RULES'] ?? '' },
    'saxon-js': { type: 'string', default: process.env['EINVOICE_SAXON_JS'] ?? '' },
    speed: { type: 'boolean', default: false },
    shown: { type: 'string', default: '20' },
  },
});

if (values.speed) {
  for (const [lines, speed] of speeds()) {
    const [each, byLine] = [1000 / speed, 1_000_000 / (speed * lines)];
    console.log(
      `${lines} lines: ${speed.toFixed(1)} documents/s, ${each.toFixed(2)} ms each, ${byLine.toFixed(1)} µs a line`,
    );
  }
  const { pdf, hybrid } = await printTimes();
  console.log(
    `a PDF of 20 lines: ${pdf.toFixed(1)} ms, with its XML ${hybrid.toFixed(1)}: ${(hybrid / pdf).toFixed(3)} times`,
  );
  console.log(`load: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  process.exit();
}

const profiles = E_INVOICE_PROFILES.filter(
  (id) => values.profile === undefined || id === values.profile,
);
console.log(`seed ${values.seed}`);
const startedMs = performance.now();
const found = await hunt({
  documents: Number(values.documents),
  seed: Number(values.seed),
  profiles,
  rules: values.rules || null,
  saxonJs: values['saxon-js'] || null,
});
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(`${values.documents} documents in ${profiles.length} profiles, ${seconds} s`);
console.log(
  found.held === null
    ? 'no official rules: --rules names no folder'
    : `held against official rules: ${found.held} times`,
);
for (const [id, count] of found.known)
  console.log(`  complete documents break ${id}, ${count} times`);
for (const one of found.wrong.slice(0, Number(values.shown))) console.log(one);
console.log(`${found.wrong.length} wrong`);
if (found.wrong.length > 0) process.exitCode = 1;
