import { Calls, type QuittanceSettings } from '../../sdk/typescript/src/calls.js';
import { RefusedCall } from '../../sdk/typescript/src/failures.js';

/** A `fetch` that answers from a list; a function in it answers or fails by itself. */
export class AService {
  readonly got: {
    url: string;
    method: string;
    headers: Headers;
    body: string;
    redirect: RequestRedirect;
  }[] = [];
  tokens = 0;
  tokenSeconds = 1800;
  answers: (Response | Error | (() => Promise<Response>))[] = [];

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/v1/auth/token')) {
      this.tokens += 1;
      return Response.json({ access_token: `token-${this.tokens}`, expires_in: this.tokenSeconds });
    }
    const { url, method, headers, redirect } = request;
    this.got.push({ url, method, headers, redirect, body: await request.text() });
    const answer = this.answers.shift() ?? Response.json({ done: true });
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer() : answer;
  };

  calls(settings: Partial<QuittanceSettings> = {}): Calls<undefined> {
    const usual = {
      baseUrl: 'https://billing.example.com',
      clientId: 'id',
      clientSecret: 'secret',
    };
    return new Calls({ ...usual, fetch: this.fetch, ...settings }, undefined, RefusedCall);
  }

  keys(): (string | null)[] {
    return this.got.map(({ headers }) => headers.get('Idempotency-Key'));
  }
}

export const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { type: 't', title: 'T', status, detail: 'No.', instance: '/', code, request_id: 'r' },
    { status, headers },
  );

const AT = 'https://billing.example.com/v1/things';

/** A POST as generated methods make it. */
export const post = async (calls: Calls<undefined>, once = true, options = {}) =>
  calls.send({ repeats: once, once, parseAs: 'json' }, options, async ({ fetch, headers }) => {
    const answer = await fetch(AT, { method: 'POST', headers, body: '{"amount":1}' });
    return { data: (await answer.json()) as unknown };
  });
