import type { INestApplicationContext } from '@nestjs/common';
import type { Installation } from '../extensions/installation.js';
import type { Config } from '../platform/config/config.js';
import type { DatabaseUrls } from '../platform/database/roles.js';
import type { Log } from '../platform/observability/log.js';
import type { Progress } from '../kernel/progress.js';
import type { Terminal } from './progress/progress-line.js';

/** The process that runs a command, or a test in its place. */
export interface CommandCaller {
  environment: NodeJS.ProcessEnv;
  /** Paths and the data folder are relative to it. */
  folder: string;
  print(line: string): void;
  warn(line: string): void;
  /** Somebody looks at it: nothing else gets what a terminal alone can show. */
  terminal?: Terminal | undefined;
}

export interface Json {
  json?: boolean;
}

/** The command's means: its caller, database and application, and a place for its answer. */
export interface CommandContext {
  caller: CommandCaller;
  log: Log;
  withDatabase(work: DatabaseWork): Promise<void>;
  /** Its work is in the audit log, unless the command only reads. */
  withApp(work: (app: INestApplicationContext) => Promise<void>): Promise<void>;
  print(options: Json, value: object, text: string): void;
  /** For long work, of `bytes` or others; undefined where nobody would see it. */
  progress(unit: string): Progress | undefined;
  /** It has told of something that is not as it should be. */
  fail(): void;
}

export type DatabaseWork = (
  urls: DatabaseUrls,
  config: Config,
  installation: Installation,
) => Promise<void>;
