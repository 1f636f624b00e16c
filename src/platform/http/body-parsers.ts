import type { NestExpressApplication } from '@nestjs/platform-express';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import sjson from 'secure-json-parse';
import type { Config } from '../config/config.js';
import { HttpProblem } from './problem.js';
import type { ApiRequest } from './request.js';

const LARGEST_DEPTH = 32;
const DOCUMENT_BODY = /^\/v1\/finance\/documents(\/preview|\/doc_\w+)?\/?$/;
const IMAGE_ROUTE = /^\/v1\/finance\/seller\/logo\/?$/i;
const IMAGE_TYPES = ['image/png', 'image/jpeg'];
const IMAGE_LIMIT_BYTES = 1_048_576;
const STATEMENT_ROUTE = /^\/v1\/finance\/bank-statements\/?$/i;
const STATEMENT_TYPES = ['application/xml', 'text/xml', 'text/csv'];
const FORM_ROUTES = /^\/v1\/(auth\/|portal\/|sandbox\/)/;

/**
 * Webhooks keep their raw bytes and are parsed by nobody, an uploaded image and a bank's file
 * likewise; forms are read where browsers and OAuth 2 clients send them; everything else is one JSON
 * object. No body is ever decompressed.
 */
export function useBodyParsers(app: NestExpressApplication, config: Config): void {
  const form = express.urlencoded({ extended: false, limit: '20kb', inflate: false });
  const webhook = raw(config.webhookBodyLimitBytes);
  const document = raw(config.documentBodyLimitBytes);
  const image = raw(IMAGE_LIMIT_BYTES);
  const other = raw(config.bodyLimitBytes);

  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.path.startsWith('/v1/webhooks/')) return webhook(request, response, next);
    if (!hasBody(request)) {
      request.body = {};
      return next();
    }
    if (FORM_ROUTES.test(request.path) && request.is('application/x-www-form-urlencoded')) {
      return form(request, response, next);
    }
    const read = (parser: RequestHandler, parse: (bytes: Buffer) => unknown) =>
      parser(request, response, (error?: unknown) => {
        if (error) return next(error);
        try {
          (request as ApiRequest).rawBody = request.body as Buffer;
          request.body = parse(request.body as Buffer);
          return next();
        } catch (failure) {
          return next(failure);
        }
      });
    if (request.method === 'PUT' && IMAGE_ROUTE.test(request.path)) {
      return request.is(IMAGE_TYPES) ? read(image, (bytes) => bytes) : next(notAnImage());
    }
    if (request.method === 'POST' && STATEMENT_ROUTE.test(request.path)) {
      return request.is(STATEMENT_TYPES) ? read(document, (bytes) => bytes) : next(notAFile());
    }
    if (!request.is(['application/json', 'application/*+json'])) return next(notJson());
    return read(DOCUMENT_BODY.test(request.path) ? document : other, parseJsonObject);
  });
}

const raw = (limit: number) => express.raw({ type: () => true, limit, inflate: false });

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0
  );
}

function notJson(): HttpProblem {
  return new HttpProblem(
    415,
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
    { 'Accept-Post': 'application/json' },
  );
}

function notAnImage(): HttpProblem {
  return new HttpProblem(
    415,
    'unsupported_media_type',
    'Send the bytes of the image, with Content-Type: image/png or image/jpeg.',
    { Accept: IMAGE_TYPES.join(', ') },
  );
}

function notAFile(): HttpProblem {
  return new HttpProblem(
    415,
    'unsupported_media_type',
    'Send the file of the bank: camt.053 as application/xml, or text/csv.',
    { 'Accept-Post': STATEMENT_TYPES.join(', ') },
  );
}

/** @throws HttpProblem 400 `malformed_json` for what is not one well-formed JSON object. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
  if (depthOf(text) > LARGEST_DEPTH)
    throw malformed(`It nests deeper than ${LARGEST_DEPTH} levels.`);
  let value: unknown;
  try {
    // __proto__ and constructor.prototype keys are refused, not dropped.
    value = sjson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw malformed('The body is not well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The body must be one JSON object.');
  }
  return value as Record<string, unknown>;
}

function malformed(reason: string): HttpProblem {
  return new HttpProblem(400, 'malformed_json', `${reason} Correct it and send it again.`);
}

/** Nesting of a JSON text, without parsing it: a deep one would exhaust the validators' stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) deepest = Math.max(deepest, (depth += 1));
    else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}
