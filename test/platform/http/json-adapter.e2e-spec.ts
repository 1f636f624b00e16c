import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

interface Layer {
  route?: { path: string };
  match(path: string): unknown;
}

it('finds each route by the paths by which Express finds it, and by no other', () => {
  const express: unknown = service.app.getHttpAdapter().getInstance();
  const { router } = express as { router: { stack: Layer[] } };
  const routes = router.stack.filter(({ route }) => route);
  expect(routes.length).toBe(new Set(routes).size);
  expect(routesOf(service.app).length).toBeGreaterThan(100);
  const asked = routes.flatMap(({ route }) => {
    const path = (route?.path ?? '').replaceAll(/:\w+|\*\w+|[{}]/g, 'A%20b');
    return [
      path,
      `${path}/`,
      `${path}//`,
      path.toUpperCase(),
      `${path}/x`,
      path.slice(0, -1),
      `/x${path}`,
    ];
  });
  // Its own method, which ours only keeps from paths that cannot fit.
  const usual = (layer: Layer, path: string) => {
    const { match } = Object.getPrototypeOf(layer) as Layer;
    return match.call(layer, path);
  };
  let found = 0;
  for (const layer of routes) {
    for (const path of asked) {
      const expected = usual(layer, path);
      if (expected) found += 1;
      if (JSON.stringify(layer.match(path)) !== JSON.stringify(expected)) {
        expect.fail(`${layer.route?.path} differs for ${path}`);
      }
    }
  }
  expect(found).toBeGreaterThan(routes.length * 3);
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
