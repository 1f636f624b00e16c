import 'reflect-metadata';
import { startService } from './boot.js';
import { type Demo, prepareDemo } from './demo/demo-account.js';
import { welcome } from './demo/welcome.js';
import { gatewayRefusals } from './payments/index.js';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig } from './platform/config/config.js';
import { createLog } from './platform/observability/log.js';

async function main(): Promise<void> {
  const config = await loadConfig(process.env, process.cwd(), gatewayRefusals);
  const log = createLog(config.logLevel);
  let demo: Demo | undefined;
  const service = await startService(config, log, async (running) => {
    if (config.demo) demo = await prepareDemo(running, config);
  });
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal means "now", whichever of them it is.
    if (isStopping) process.exit(130);
    isStopping = true;
    log.info({ signal }, 'stopping');
    service.stop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        log.error({ error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  log.info({ url: config.baseUrl }, 'ready');
  if (demo) console.log(welcome(demo, config.dataDir));
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // What the operator can set right needs a sentence, a bug needs its stack.
  const isSetting = error instanceof ConfigError || message.startsWith('another Quittance');
  console.error(isSetting ? `Quittance did not start.\n${message}` : error);
  process.exit(1);
});
