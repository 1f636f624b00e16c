import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Config } from '../../config/config.js';
import { BODIES, type BodyKind, TAKES } from './bodies.js';
import { BodiesInFlight } from './bodies-in-flight.js';
import { parseJsonObject, textOf } from './json-body.js';
import { parseForm } from '../parameters.js';
import { readBody } from './read-body.js';
import { addressOf } from '../address.js';
import type { ApiRequest } from '../request.js';
import { RequestRefusal } from '../request-refusals.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Reads the body. It is the last of the global guards, so it waits only for uploads of callers who
 * are known and may call. The route says how to read the body; no body is ever
 * decompressed (decision 38).
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly inFlight: BodiesInFlight,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    request.body = {};
    if (!hasBody(request)) return true;
    const kind = this.reflector.get<keyof typeof BODIES | undefined>(TAKES, context.getHandler());
    return this.read(request, http.getResponse<Response>(), BODIES[kind ?? 'json']);
  }

  private async read(request: ApiRequest, response: Response, kind: BodyKind): Promise<true> {
    const isForm = kind.formFields !== undefined && request.is(FORM_TYPE) !== false;
    if (!isForm) refuseOtherTypes(request, kind);
    refuseEncodings(request);
    const { user } = request;
    const hold = this.inFlight.hold(user?.clientId ?? addressOf(request), user !== undefined);
    response.once('close', () => hold.release());
    const bytes = await readBody(request, response, kind.bytes(this.config), hold);
    request.rawBody = bytes;
    if (isForm) request.body = parseForm(textOf(bytes), kind.formFields ?? 0);
    else if (kind.json) request.body = parseJsonObject(bytes, kind.json);
    return true;
  }
}

/** The body of a GET has no meaning (RFC 9110 9.3.1) and is not read. */
function hasBody({ headers, method }: ApiRequest): boolean {
  const isSent =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return isSent && method !== 'GET' && method !== 'HEAD';
}

function refuseOtherTypes(request: ApiRequest, { types, hint = '' }: BodyKind): void {
  if (!types || request.headers['content-type'] === types[0]) return;
  if (request.is([...types])) return;
  const header = request.method === 'PUT' ? 'Accept' : 'Accept-Post';
  throw RequestRefusal.unsupported_media_type.of(hint, { [header]: types.join(', ') });
}

function refuseEncodings({ headers }: ApiRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw RequestRefusal.unsupported_encoding.of(
    'Compressed or oddly encoded bodies are not read; send plain UTF-8.',
  );
}
