/** An answer, read to its end. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed JSON; `{}` where the answer is none. */
  body: Body;
  text: string;
  bytes: Buffer;
}

export interface Call {
  method?: string;
  /** A string or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export async function call<Body = Record<string, unknown>>(
  url: string,
  request: Call = {},
): Promise<Answer<Body>> {
  const { body, headers = {} } = request;
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers: { ...(!raw && { 'content-type': 'application/json' }), ...headers },
    redirect: 'manual',
    ...(body !== undefined && { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const parsed = (isJson && text ? JSON.parse(text) : {}) as Body;
  return { status: response.status, headers: response.headers, body: parsed, text, bytes };
}
