import 'reflect-metadata';
import { runDemoWebhook } from './demo-delivery.js';

/**
 * `npm run demo:webhook -- <gateway> [<event> <provider_payment_id>] [--forged]`: a signed event to
 * the running service, such as `-- gateway-a refunded pi_...`; of a new payment without an event.
 */
const code = await runDemoWebhook(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  print: (line) => console.log(line),
  warn: (line) => console.error(line),
});
// A failure may leave a connection open, and nobody should wait for it.
if (code !== 0) process.exit(code);
