import 'reflect-metadata';
import { Console } from 'node:console';
import { type Service, startService } from './boot.js';
import { type Demo, prepareDemo } from './demo/demo-account.js';
import { welcome } from './demo/welcome.js';
import { Providers } from './gateways/index.js';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig } from './platform/config/config.js';
import { createLog, type Log, prettyLine } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { Output } from './platform/observability/output.js';
import { configOf, join, NotStarted, placeOf, Processes } from './processes.js';

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
  const place = placeOf(process.env);
  if (!place && config.processes > 1) {
    const processes = await Processes.start(config, log, providers);
    onSignals(log, processes.stop.bind(processes));
    log.info({ url: config.baseUrl, processes: config.processes }, 'ready');
    return;
  }
  const own = place ? configOf(config, place) : config;
  let demo: Demo | undefined;
  const prepare = async (running: Service) => {
    running.app.get(Metrics).countLostLines(() => output.lost + errors.lost);
    if (own.demo) demo = await prepareDemo(running, own);
  };
  const database = place?.database;
  const service = await startService(own, log, { prepare, providers, database });
  if (place) {
    // A terminal sends it to all of them; the first says when to stop.
    process.on('SIGINT', () => undefined);
    join(service, onSignals(log, service.stop, ['SIGTERM']));
  } else {
    onSignals(log, service.stop);
    log.info({ url: config.baseUrl }, 'ready');
  }
  if (demo) console.log(welcome(demo, config.dataDir));
}

/** Stops at the first signal, and ends at once at the second, whichever they are. */
function onSignals(
  log: Log,
  stopAll: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): () => void {
  let isStopping = false;
  const stop = (why: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal: why }, 'stopping');
    stopAll().then(
      () => end(Number(process.exitCode ?? 0)),
      (error: unknown) => {
        log.error({ error }, 'could not stop cleanly');
        return end(1);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(130);
    stop(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => stop('SIGTERM');
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
  if (error instanceof NotStarted) return end(1);
  const message = error instanceof Error ? error.message : String(error);
  // An operator can set a setting right, and needs a sentence; a bug needs its stack.
  const isSetting = error instanceof ConfigError || message.startsWith('another Quittance');
  console.error(isSetting ? `Quittance did not start.\n${message}` : error);
  return end(1);
});
