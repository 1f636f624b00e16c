import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/platform/observability/log.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';
import { routesOf, STREAM } from '../routes.js';

/* A token in an odd path comes back nowhere: all routes, each in forms that nobody meant. */

const MOST_MS = 300_000;
const lines: string[] = [];
let service: TestService;
let client: TestClient;
let token: string;
let live: string;
beforeAll(async () => {
  const log = createLog('info', { write: (line) => void lines.push(line) });
  service = await startTestService({ log });
  client = await service.aClient();
  live = await client.aPortalToken(await client.anInvoice());
  // As one of ours, of nothing: what answers with it has it from the path.
  token = randomBytes(32).toString('base64url');
});
afterAll(() => service.close());

const encoded = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** Odd forms of a path whose parameters are tokens. */
const FORMS: Record<string, (path: string, secret: string) => string> = {
  'as it is': (path) => path,
  'one segment more': (path) => `${path}/nothing`,
  'a token behind': (path, secret) => `${path}/${secret}`,
  'a slash behind': (path) => `${path}/`,
  'two slashes before the last': (path) => path.replace(/\/(?=[^/]*$)/, '//'),
  'two slashes at the front': (path) => `/${path}`,
  'two slashes everywhere': (path) => path.replaceAll('/', '//'),
  capitals: (path, secret) =>
    path
      .split('/')
      .map((part) => (part === secret ? part : part.toUpperCase()))
      .join('/'),
  'a letter in percent': (path) => path.replace(/[a-z]+(?=\/)/, encoded),
  'all first letters in percent': (path) => path.replaceAll(/(?<=\/)\w[^/]*/g, encoded),
  'a slash in percent': (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2F'),
  'letters behind the token': (path, secret) => `${path.replaceAll(secret, `${secret}x`)}pdfx`,
  'a broken token': (path, secret) => `${path}/${secret}%zz`,
  'a parameter of the path': (path, secret) => `${path};token=${secret}`,
  'in the place of the last': (path, secret) => `${path}/../${secret}`,
  'in the query': (path, secret) => `${path}?token=${secret}`,
  'as a name in the query': (path, secret) => `${path}?${secret}=1`,
  'as a limit and a cursor': (path, secret) => `${path}?limit=${secret}&cursor=${secret}`,
};

async function expectNothingOf(secret: string, method: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${await client.bearer()}` };
  for (const accept of ['application/json', 'text/html']) {
    const answer = await service.call(path, { method, headers: { ...headers, accept } });
    const told = `${answer.text}\n${[...answer.headers].join('\n')}`;
    const shown = [method, path, accept, answer.status, told.includes(secret)];
    expect(shown).toEqual([method, path, accept, answer.status, false]);
  }
}

describe('a token', () => {
  it.each(Object.entries(FORMS))(
    'does not come back: %s',
    async (_, formed) => {
      const routes = routesOf(service.app).filter(({ path }) => path !== STREAM);
      for (const { method, path } of oneIn(4, routes)) {
        const filled = path.replaceAll(/:\w+/g, token);
        await expectNothingOf(token, method, formed(filled, token));
        if (!path.includes(':token')) continue;
        await expectNothingOf(token, 'PUT', formed(filled, token));
      }
    },
    MOST_MS,
  );

  it('that is good does not, where the path leads nowhere', async () => {
    const base = `/v1/portal/${live}`;
    const paths = [
      `${base}/nothing`,
      `/v1/portal//${live}`,
      `/V1/Portal/${live}`,
      `/v1/portal/documents/${live}/pdfx`,
      `/v1/sandbox/${live}`,
      `/v1/sandbox/sandbox/${live}`,
      `/v1/nothing/${live}?token=${live}`,
      `/v1/portal/${live.slice(0, 30)}/${live.slice(30)}`,
    ];
    for (const path of paths) {
      await expectNothingOf(live, 'GET', path);
      await expectNothingOf(live.slice(0, 30), 'GET', path);
    }
  });

  it('is in no line of the log, and in no metric', async () => {
    expect(lines.length).toBeGreaterThan(100);
    const { text } = await service.metrics();
    for (const secret of [token, live]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
      expect(text).not.toContain(secret);
    }
  });
});
