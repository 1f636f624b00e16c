import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type EveryRoute, everyRouteOf, hasOwnId } from '../every-route.js';
import { contentsOf } from '../expectations.js';
import { routesOf } from '../routes.js';

// Things of another account do not exist: every route with an id, as the router has them.

let service: TestService;
let stranger: TestClient;
let owner: TestClient;
let every: EveryRoute;

beforeAll(async () => {
  // A check of the books that the owner has asked for would go on meanwhile.
  service = await startTestService({ doesJobs: false });
  [every, stranger] = [await everyRouteOf(service), await service.aClient()];
  owner = every.owner;
});
afterAll(() => service.close());

async function answersTo(client: TestClient): Promise<[string, number][]> {
  const bearer = await client.bearer();
  const answers: [string, number][] = [];
  for (const route of every.routes.filter(hasOwnId)) {
    const { status } = await every.call(route, bearer);
    answers.push([`${route.method} ${route.path}`, status]);
  }
  return answers;
}

describe('a stranger', () => {
  it('gets 404 from every route with an id, and changes nothing', async () => {
    await stranger.bearer();
    const before = await contentsOf(service.database);
    const answers = await answersTo(stranger);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers).toEqual(answers.map(([route]) => [route, 404]));
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('sees nothing of it in a list', async () => {
    for (const { method, path } of routesOf(service.app)) {
      if (method !== 'GET' || path.includes(':') || !path.startsWith('/v1/finance')) continue;
      // One's own, and no list: seller.e2e-spec.ts shows its wall.
      if (
        /\/(seller|periods|chart-of-accounts|payment-settings|mail-settings|dunning-plan|integrity|ledger\/balances|reports)/.test(
          path,
        )
      )
        continue;
      const answer = await stranger.get<{ data?: unknown[] }>(path);
      // Every account has these from the start.
      const builtIn = path === '/v1/finance/numbering' ? 4 : 0;
      expect([path, answer.status, answer.body.data?.length]).toEqual([path, 200, builtIn]);
      expect(answer.text).not.toContain('OWN-');
    }
  });
});

describe('the owner', () => {
  it('gets 404 from none of them', async () => {
    // In the order of the router: what is deleted by one route is not asked for by a later one.
    const answers = await answersTo(owner);
    expect(answers.filter(([, status]) => status === 404 || status >= 500)).toEqual([]);
  });
});
