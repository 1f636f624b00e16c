import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { DemoToken } from './demo-token.js';
import { allGuides } from './guides.js';
import { REFERENCE_SCRIPT } from './reference-script.js';
import { RequestRefusal } from '../request-refusals.js';
import type { AnyRefusal } from '../problem.js';
import { problemList, problemPage } from './problem-pages.js';
import { referenceDocument } from './reference-document.js';

const NONCE_BYTES = 16;
const STYLE = `
  body { margin: 0 }
  #demo-token { position: fixed; z-index: 10; right: 1rem; bottom: 1rem; padding: 0.6rem 1rem;
    font: 600 0.9rem system-ui, sans-serif; color: #fff; background: #14532d; border: 0;
    border-radius: 0.5rem; cursor: pointer }
  #demo-token:focus-visible { outline: 3px solid #f59e0b }
  #demo-token:disabled { opacity: 0.6 }`;

/** Nothing inline but our own style and that of the renderer, and nothing from elsewhere. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

// The renderer reads the nonce of its styles from the meta element.
const page = (nonce: string, withToken: boolean) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta property="csp-nonce" content="${nonce}">
  <title>Quittance API</title>
  <link rel="icon" href="data:,">
  <style nonce="${nonce}">${STYLE}</style>
</head>
<body>
  <div id="reference"></div>
  ${withToken ? '<button id="demo-token" type="button">Use the demo’s token</button>' : ''}
  <script src="/docs/reference.js"></script>
  <script src="/docs/scalar.js"></script>
</body>
</html>
`;

function send(response: Response, make: (nonce: string) => string): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const html = make(nonce);
  response.set('Content-Security-Policy', policy(nonce)).set('Cache-Control', 'no-store');
  response.type('html').send(html);
}

/** `GET /docs`, its scripts and its document, pages of problems, and a token where it is a demo's. */
export function useReferencePage(
  app: NestExpressApplication,
  api: () => OpenAPIObject,
  refusals: readonly AnyRefusal[],
): void {
  const demo = app.get(DemoToken);
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get('/docs', (request: Request, response: Response) =>
    send(response, (nonce) => page(nonce, demo.isFor(request))),
  );
  express.get('/docs/reference.js', (_request: Request, response: Response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(REFERENCE_SCRIPT);
  });
  let reference: Promise<OpenAPIObject> | undefined;
  express.get('/docs/reference.json', async (_request: Request, response: Response) => {
    reference ??= allGuides().then((guides) => referenceDocument(api(), guides));
    response.set('Cache-Control', 'no-cache').json(await reference);
  });
  express.get('/docs/problems', (_request: Request, response: Response) =>
    send(response, (nonce) => problemList(refusals, nonce)),
  );
  express.get('/docs/problems/:code', (request: Request, response: Response) => {
    const refusal = refusals.find(({ code }) => code === request.params['code']);
    if (!refusal) throw RequestRefusal.route_not_found.of();
    send(response, (nonce) => problemPage(refusal, api(), nonce));
  });
  express.get('/docs/scalar.js', async (_request: Request, response: Response) => {
    const script = await scalarBundle();
    response
      .set('Cache-Control', 'public, max-age=86400')
      .set('Content-Encoding', 'gzip')
      .type('js')
      .send(script);
  });
  express.post('/docs/demo-token', async (request: Request, response: Response) => {
    // Browsers set this header for each request to this machine, and no page can change it.
    const isOurPage = request.headers['sec-fetch-site'] === 'same-origin';
    if (!demo.make || !demo.isFor(request) || !isOurPage) {
      const detail = 'Only the page of a demo gets its token here. Use POST /v1/auth/token.';
      throw RequestRefusal.route_not_found.of(detail);
    }
    response.set('Cache-Control', 'no-store').json({ access_token: await demo.make() });
  });
}

interface Route {
  url: string;
  handler(request: unknown, reply: { header(): unknown; send(text: string): void }): unknown;
}

/** As much of it as we call. */
type FastifyPlugin = (
  fastify: { route(route: Route): void },
  options: { routePrefix: string; configuration: { url: string } },
  done: () => void,
) => void;

let made: Promise<Buffer> | undefined;

/**
 * The script of Scalar, which renders the reference, gzipped. It is taken out of the plugin for
 * Fastify, which has it whole: the renderer's own package would install 200 others.
 */
function scalarBundle(): Promise<Buffer> {
  return (made ??= load());
}

async function load(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: Route[] = [];
  const fastify = { route: (route: Route) => void routes.push(route) };
  const options = { routePrefix: '/docs', configuration: { url: '/v1/openapi.json' } };
  (plugin as unknown as FastifyPlugin)(fastify, options, () => undefined);
  let script = '';
  const reply = { header: () => reply, send: (text: string) => void (script = text) };
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply);
  if (script === '') throw new Error('the plugin of Scalar has no script');
  return promisify(gzip)(script);
}
