import 'reflect-metadata';
import { Console } from 'node:console';
import { longestStopMs, type Service, startService } from './boot.js';
import { type Demo, prepareDemo } from './demo/demo-account.js';
import { welcome } from './demo/welcome.js';
import { Installation } from './extensions/installation.js';
import { ConfigError } from './platform/config/config-error.js';
import { type Config, loadConfig } from './platform/config/config.js';
import { createLog, type Log, prettyLine } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { Output } from './platform/observability/output.js';
import { configOf, join, NotStarted, placeOf, Processes, together } from './processes.js';
import { tracing } from './platform/tracing/tracing.js';
import { within } from './platform/within.js';
import { stopping } from './stopping.js';

/** How long an end may wait for a reader of our last lines. */
const LAST_LINES_MS = 1000;

const output = new Output(1);
const errors = new Output(2);

async function main(): Promise<void> {
  const installation = await Installation.read(process.env, process.cwd());
  const config = await loadConfig(process.env, process.cwd(), installation.providers);
  const log = createLog(config.logLevel, {
    write: (line) => output.write(output.isTerminal ? prettyLine(line) : line),
  });
  output.onRecovery = (lost) => log.warn({ lost }, 'lines of this log were lost');
  const place = placeOf(process.env);
  const isFirst = !place && config.processes > 1;
  const starting = isFirst
    ? startAll(config, log, installation)
    : startOne(config, log, installation);
  stopping.by = (why) => {
    log.info({ signal: why }, 'stopping');
    void stop(log, within(longestStopMs(config), 'the start', starting, Late));
  };
  await starting;
}

class Late extends Error {}

type StopAll = () => Promise<void>;

/** Several processes, of which this is the first. */
async function startAll(config: Config, log: Log, installation: Installation): Promise<StopAll> {
  const processes = await Processes.start(config, log, installation, stopping.signal);
  log.info({ url: config.baseUrl, processes: config.processes }, 'ready');
  return processes.stop.bind(processes);
}

/** One process alone, or one of several. */
async function startOne(given: Config, log: Log, installation: Installation): Promise<StopAll> {
  const place = placeOf(process.env);
  const config = place ? configOf(given, place) : given;
  if (config.tracing) await tracing.start(config.tracing, log);
  let demo: Demo | undefined;
  const prepare = async (running: Service) => {
    running.app.get(Metrics).countLostLines(() => output.lost + errors.lost);
    if (config.demo) demo = await prepareDemo(running, config);
  };
  const { signal } = stopping;
  const ofSeveral = place && { database: place.database, together };
  const service = await startService(config, log, { prepare, installation, signal, ...ofSeveral });
  if (place) join(service, () => stopping.ask('SIGTERM'));
  else log.info({ url: config.baseUrl }, 'ready');
  if (demo) console.log(welcome(demo, config.dataDir));
  return service.stop;
}

/** A start that is not done yet stops what it has made, and is waited for. */
async function stop(log: Log, starting: Promise<StopAll>): Promise<void> {
  try {
    const stopAll = await starting.catch((error: unknown) => {
      if (error instanceof Late) throw error;
      if (error !== stopping.signal.reason) log.warn({ error }, 'the start broke off');
    });
    await stopAll?.();
    await tracing.stop();
  } catch (error) {
    log.error({ error }, 'could not stop cleanly');
    return end(1);
  }
  return end(Number(process.exitCode ?? 0));
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
  // It was asked to stop: nobody needs a reason why it did not start.
  if (stopping.signal.aborted) return undefined;
  if (error instanceof NotStarted) return end(1);
  const message = error instanceof Error ? error.message : String(error);
  // An operator can set a setting right, and needs a sentence; a bug needs its stack.
  const isSetting = error instanceof ConfigError || message.startsWith('another Quittance');
  console.error(isSetting ? `Quittance did not start.\n${message}` : error);
  return end(1);
});
