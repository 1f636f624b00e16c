import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';

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
}

export function createLog(level: string, stream?: { write(line: string): void }): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  };
  return stream ? pino(options, stream) : pino(options);
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
