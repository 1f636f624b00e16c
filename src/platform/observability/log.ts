import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import type { PublicId } from '../../kernel/ids.js';
import { tracing } from '../tracing/tracing.js';

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  'webhook_secret',
  'api_key',
  'password',
];

/** Structured log, one JSON object a line. Abstract class: port and injection token at once. */
export abstract class Log {
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
  /** An answer to a request. Its fields are fixed, and none is secret: nothing is looked through. */
  abstract answered(line: AnsweredRequest): void;
}

interface AnsweredRequest {
  request_id: string;
  /** Undefined without traces. */
  trace_id: string | undefined;
  method: string;
  /** The pattern, never the path: paths of the portal hold tokens. */
  route: string;
  status: number;
  ms: number;
  client: PublicId | undefined;
  account: PublicId | undefined;
}

export function createLog(level: string, stream?: { write(line: string): void }): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // In a request it is that of the request.
    mixin: () => tracing.ids(),
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  };
  const target = stream ?? pino.destination();
  const log = pino(options, target);
  const isWanted = log.isLevelEnabled('info');
  return Object.assign(log, {
    answered: (line: AnsweredRequest) => {
      if (isWanted) target.write(lineOf(line));
    },
  });
}

/** As pino writes it, at a fifth of its cost. */
function lineOf(answered: AnsweredRequest): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'info', time, ...answered, msg: 'request' })}\n`;
}

/** A line of the log for a person at a terminal: time, level, message, and the fields as they are. */
export function prettyLine(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shown = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const { stack } = (error ?? {}) as { stack?: string };
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}`;
  return `${head}${shown.join('')}\n${stack ? `${stack}\n` : ''}`;
}

/** Nest's own messages, in the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Log) {}

  log(message: unknown, context?: string): void {
    // Nest tells of every route at boot; that is only noise.
    if (!/^(RoutesResolver|RouterExplorer|InstanceLoader|NestFactory)$/.test(context ?? '')) {
      this.sink.info({ context }, String(message));
    }
  }

  warn(message: unknown, context?: string): void {
    this.sink.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.sink.error({ context, stack }, String(message));
  }
}
