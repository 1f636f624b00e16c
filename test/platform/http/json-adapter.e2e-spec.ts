import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RouteIndex, type RouterLayer } from '../../../src/platform/http/route-index.js';
import { routesOf } from '../../e2e/routes.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

/** The route that Express finds when it asks one after the other. */
function routeByExpress(routes: RouterLayer[], method: string, path: string) {
  return routes.find(({ route, match }, index) => {
    const has =
      route?.methods[method.toLowerCase()] ?? (method === 'HEAD' && route?.methods['get']);
    return has && match.call(routes[index], path) !== false;
  });
}

it('finds each route by the paths by which Express finds it, and by no other', () => {
  const express: unknown = service.app.getHttpAdapter().getInstance();
  const { router } = express as { router: { stack: RouterLayer[] } };
  const routes = router.stack.filter(({ route }) => route);
  expect(routesOf(service.app).length).toBeGreaterThan(100);
  const index = new RouteIndex(routes);
  const asked = routes.flatMap(({ route }) => {
    const path = String(route?.path).replaceAll(/:\w+|\*\w+|[{}]/g, 'A%20b');
    return [
      path,
      `${path}/`,
      `${path}//`,
      path.toUpperCase(),
      `${path}/x`,
      path.slice(0, -1),
      `/x${path}`,
      path.replaceAll('A%20b', 'pdf'),
      path.replaceAll('A%20b', ':id'),
    ];
  });
  let found = 0;
  for (const path of asked) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const expected = routeByExpress(routes, method, path);
      if (expected) found += 1;
      const { layer } = index.find(method, path) ?? {};
      if (layer !== expected) expect.fail(`${method} ${path}: ${String(layer?.route?.path)}`);
    }
  }
  expect(found).toBeGreaterThan(routes.length * 3);
});

it('leaves to Express what it cannot decode', async () => {
  expect((await service.call('/v1/finance/documents/%E0%A4%A')).body['code']).toBe(
    'malformed_path',
  );
});

it('answers with lengths, and leaves out what a caller has', async () => {
  const invoice = await client.anInvoice();
  const path = `/v1/finance/documents/${invoice.id}`;
  const read = await client.get(path);
  expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number(read.headers.get('content-length'))).toBe(Buffer.byteLength(read.text));
  const Authorization = `Bearer ${await client.bearer()}`;
  const head = await service.call(path, { method: 'HEAD', headers: { Authorization } });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(read.headers.get('content-length'));
  const tag = read.headers.get('etag') ?? '';
  // `fetch` would add "no-cache", by which everything is sent again.
  const again = await new Promise<IncomingMessage>((resolve) => {
    get(service.url + path, { headers: { Authorization, 'If-None-Match': tag } }, resolve);
  });
  expect([again.statusCode, await text(again)]).toEqual([304, '']);
});
