import 'reflect-metadata';
import { runDemoWebhook } from './demo-delivery.js';

/**
 * `npm run demo:webhook -- <gateway> [--forged]`: a signed paid event to the running service. The
 * sandbox also plays what comes of a payment: `-- sandbox --event reversed sbx_...`.
 */
const code = await runDemoWebhook(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  print: (line) => console.log(line),
  warn: (line) => console.error(line),
});
// A failure may leave a connection open, and nobody should wait for it.
if (code !== 0) process.exit(code);
