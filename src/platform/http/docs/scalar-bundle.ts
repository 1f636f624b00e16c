import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

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
export function scalarBundle(): Promise<Buffer> {
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
