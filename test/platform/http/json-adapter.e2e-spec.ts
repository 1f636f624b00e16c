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

it('answers with lengths', async () => {
  const invoice = await client.anInvoice();
  const path = `/v1/finance/documents/${invoice.id}`;
  const read = await client.get(path);
  expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number(read.headers.get('content-length'))).toBe(Buffer.byteLength(read.text));
  const Authorization = `Bearer ${await client.bearer()}`;
  const head = await service.call(path, { method: 'HEAD', headers: { Authorization } });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(read.headers.get('content-length'));
});

it('says what the clock changed, also to a caller who has the same version', async () => {
  const invoice = await client.anInvoice();
  const path = `/v1/finance/documents/${invoice.id}`;
  const read = await client.get(path);
  expect(read.body['is_overdue']).toBe(false);
  service.clock.advance({ days: 400 });
  const headers = {
    Authorization: `Bearer ${await client.bearer()}`,
    'If-None-Match': read.headers.get('etag') ?? '',
  };
  // `fetch` would add "no-cache", by which everything is sent again.
  const again = await new Promise<IncomingMessage>((resolve) => {
    get(service.url + path, { headers }, resolve);
  });
  expect([again.statusCode, again.headers.etag]).toEqual([200, headers['If-None-Match']]);
  expect(JSON.parse(await text(again))).toEqual({ ...read.body, is_overdue: true });
});
