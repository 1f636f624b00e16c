import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import { Config } from '../config/config.js';
import { translateDatabaseError } from '../database/database-error.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { tellFields } from './answers/answer-headers.js';
import { oauthErrorOf } from './oauth-error.js';
import type { RouterLayer } from './route-index.js';
import { answerTo, HttpProblem, type Problem, problem, PROBLEM_TYPE } from './problem.js';
import { RefusalPages } from './refusal-pages.js';
import { withoutSecrets } from './shown-path.js';
import { RateLimits } from './limits/rate-limits.js';
import type { ApiRequest } from './request.js';
import { StoredReply } from './answers/stored-reply.js';
import { RequestRefusal } from './request-refusals.js';

const OAUTH_ROUTES = /^\/v1\/auth\//i;

/** Every refusal leaves here, as problem+json, or as a page for a browser that looks at pages. An unforeseen error is a 500 and a log line. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly limits: RateLimits,
    private readonly pages: RefusalPages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.answer(error, host);
  }

  /** The same for a filter of one route. */
  answer(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof StoredReply) {
      const { status, body } = error;
      const { baseUrl } = this.config;
      if (request.answers)
        tellFields(response, request.answers, {
          status,
          body: JSON.parse(body.toString()),
          baseUrl,
        });
      response.status(error.status).type('application/json; charset=utf-8');
      response.set({ 'Cache-Control': 'no-store', 'Idempotency-Replayed': 'true' });
      response.send(error.body);
      return;
    }
    const instance = withoutSecrets(request.path);
    const translated = translateDatabaseError(error);
    if (translated instanceof DomainError && translated.cause !== undefined) {
      const { cause, code } = translated;
      this.log.warn(
        { request_id: request.id, code, error: cause },
        'the database failed a request',
      );
    }
    const refusal = fromLibrary(translated, request);
    let known = answerTo(refusal, request, instance);
    const instead = known && this.limits.countFailure(request, known.problem.code);
    if (instead) known = answerTo(instead, request, instance);
    const { code, example: detail } = RequestRefusal.internal_error;
    this.metrics.countRefusal(known?.problem.code ?? code);
    if (!known) this.log.error({ request_id: request.id, error }, 'unexpected error');
    const status = known?.status ?? 500;
    const body = known?.problem ?? problem(status, { code, detail }, request, instance);
    request.problemCode = body.code;
    for (const [name, value] of Object.entries(known?.headers ?? {})) {
      response.setHeader(name, value);
    }
    const page = this.pages.of(request, body);
    if (page) {
      response.status(status).type('html');
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Content-Security-Policy', page.contentSecurityPolicy);
      response.vary('Accept, Accept-Language');
      response.send(page.html);
      return;
    }
    const oauth = OAUTH_ROUTES.test(request.path);
    response.status(status).type(oauth ? 'application/json; charset=utf-8' : PROBLEM_TYPE);
    response.setHeader('Cache-Control', 'no-store');
    response.send(JSON.stringify(oauth ? inOAuthWords(body) : body));
  }
}

/** The form of RFC 6749 5.2, for OAuth clients, which read only `application/json`. */
function inOAuthWords(body: Problem): Problem {
  return { ...body, error: oauthErrorOf(body), error_description: body.detail };
}

/** Errors of Nest and Express in our words. */
function fromLibrary(error: unknown, request: ApiRequest): unknown {
  if (error instanceof DomainError || error instanceof HttpProblem) return error;
  if (error instanceof URIError) return malformedPath();
  if (error instanceof HttpException) {
    if (error.getStatus() === 404) return methodNotAllowed(request) ?? noSuchRoute();
    if (error.getStatus() === 400) return malformedPath();
  }
  return error;
}

function noSuchRoute(): HttpProblem {
  return RequestRefusal.route_not_found.of();
}

function malformedPath(): HttpProblem {
  return RequestRefusal.malformed_path.of();
}

/**
 * The 405 with `Allow` that RFC 9110 wants for a known path with another method; Express says 404.
 * Undefined if no route knows the path.
 */
function methodNotAllowed(request: Request): HttpProblem | undefined {
  const { router } = request.app as unknown as { router: { stack: RouterLayer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  // The handler itself answered 404, so the method is possible.
  if (methods.size === 0 || methods.has(request.method)) return undefined;
  const allow = [...methods].sort().join(', ');
  return RequestRefusal.method_not_allowed.of(
    `${request.method} is not possible here; this path takes ${allow}.`,
    { Allow: allow },
  );
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path) !== false;
  } catch {
    return false;
  }
}
