import { parseArgs } from 'node:util';
import { openData } from './data-store.js';

const USAGE = 'npm run bench:data -- [--documents 1000000] [--payments 1]';

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      documents: { type: 'string', default: '1000000' },
      payments: { type: 'string', default: '1' },
    },
  });
  const documents = Number(values.documents);
  const payments = Number(values.payments);
  const isWrong = [documents, payments].some((count) => !Number.isInteger(count) || count < 1);
  if (isWrong || payments > 6) throw new Error(USAGE);
  const startedAt = performance.now();
  const data = await openData({ documents, payments }, say);
  await data.stop();
  say(`${documents} documents in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error && error.message === USAGE ? USAGE : error);
  process.exitCode = 1;
});
