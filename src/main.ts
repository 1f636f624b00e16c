import 'reflect-metadata';
import { Console } from 'node:console';
import { type Service, startService } from './boot.js';
import { type Demo, prepareDemo } from './demo/demo-account.js';
import { welcome } from './demo/welcome.js';
import { Providers } from './gateways/index.js';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig } from './platform/config/config.js';
import { createLog, prettyLine } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { Output } from './platform/observability/output.js';

/** How long an end may wait for a reader of our last lines. */
const LAST_LINES_MS = 1000;

const output = new Output(1);
const errors = new Output(2);

async function main(): Promise<void> {
  const providers = await Providers.installed(process.env, process.cwd());
  const config = await loadConfig(process.env, process.cwd(), providers);
  const log = createLog(config.logLevel, {
    write: (line) => output.write(output.isTerminal ? prettyLine(line) : line),
  });
  output.onRecovery = (lost) => log.warn({ lost }, 'lines of this log were lost');
  let demo: Demo | undefined;
  const prepare = async (running: Service) => {
    running.app.get(Metrics).countLostLines(() => output.lost + errors.lost);
    if (config.demo) demo = await prepareDemo(running, config);
  };
  const service = await startService(config, log, prepare, providers);
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal means "now", whichever of them it is.
    if (isStopping) process.exit(130);
    isStopping = true;
    log.info({ signal }, 'stopping');
    service.stop().then(
      () => end(Number(process.exitCode ?? 0)),
      (error: unknown) => {
        log.error({ error }, 'could not stop cleanly');
        return end(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  log.info({ url: config.baseUrl }, 'ready');
  if (demo) console.log(welcome(demo, config.dataDir));
}

/** The process ends with its last lines, unless nobody takes them. */
async function end(code: number): Promise<never> {
  await Promise.all([output.flushed(LAST_LINES_MS), errors.flushed(LAST_LINES_MS)]);
  process.exit(code);
}

// No print, also of a library or of Node itself, may wait for a reader.
globalThis.console = new Console({ stdout: output.asStream(), stderr: errors.asStream() });
process.removeAllListeners('warning');
process.on('warning', (warning) => console.error(warning.stack ?? warning.message));
process.on('uncaughtException', (error) => {
  console.error(error);
  void end(1);
});
process.on('exit', () => {
  output.flushNow();
  errors.flushNow();
});

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // An operator can set a setting right, and needs a sentence; a bug needs its stack.
  const isSetting = error instanceof ConfigError || message.startsWith('another Quittance');
  console.error(isSetting ? `Quittance did not start.\n${message}` : error);
  return end(1);
});
