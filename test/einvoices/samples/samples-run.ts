import { parseArgs } from 'node:util';
import { shareTestServer } from '../../support/database-server.js';
import { startTestService } from '../../support/service.js';
import { readSample } from './read-sample.js';
import { reportOf } from './samples-report.js';
import { samplesIn, type Trial, tried } from './trial.js';

// npm run einvoices:samples -- --samples FOLDER
// With --only TEXT, those whose name has it; with --terms, each term that comes back otherwise. With
// --at-least 190, it fails where fewer are equal.

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: process.env['EINVOICE_SAMPLES'] ?? '' },
    only: { type: 'string', default: '' },
    terms: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '0' },
  },
});
if (values.samples === '') throw new Error('--samples names the folder of samples');

const server = await shareTestServer();
const service = await startTestService();
try {
  const files = await samplesIn(values.samples);
  const trials: Trial[] = [];
  let withoutLines = 0;
  for (const file of files.filter(({ suite, name }) => `${suite}/${name}`.includes(values.only))) {
    const sample = readSample(file.xml);
    if (sample.said.groups.has('BG-25')) trials.push(await tried(service, file, sample));
    else withoutLines += 1;
  }
  for (const line of reportOf(trials, { lists: values.terms })) console.log(line);
  console.log(`${withoutLines} samples have no lines`);
  const equal = trials.filter(({ outcome }) => outcome === 'equal').length;
  if (equal < Number(values['at-least'])) process.exitCode = 1;
} finally {
  await service.close();
  await server.stop();
}
