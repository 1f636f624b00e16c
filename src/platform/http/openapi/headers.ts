const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', example },
});

/** Every header of an answer that a client may want to read. */
export const HEADERS = {
  'X-Request-Id': text('The id of this request, as the log has it.', 'b8e4c1a9d10'),
  RateLimit: text('What is left, where requests are limited.', '"default";r=199;t=0'),
  'RateLimit-Policy': text('The limit itself, where requests are limited.', '"default";q=200;w=2'),
  'Retry-After': {
    description: 'The seconds to wait before the same request is sent again.',
    schema: { type: 'integer', example: 1 },
  },
  'WWW-Authenticate': text('How to authenticate, or the scope that is missing.', 'Bearer'),
  'Accept-Post': text('The media types that a body may have.', 'application/json'),
  Accept: text('The media types that a body may have.', 'image/png, image/jpeg'),
  ETag: text('The version; `If-Match` takes it.', '"3"'),
  Location: text('Where the new thing, or the page, is read.', 'https://...'),
  'Set-Cookie': text('The way back from a pay page.', 'quittance_back=...; HttpOnly'),
  'Idempotency-Replayed': {
    description: '`true` if this is the stored answer to an earlier request of the same key.',
    schema: { const: 'true' },
  },
  'Content-Disposition': text('The name of the file.', 'inline; filename="INV-00001.pdf"'),
};

type HeaderName = keyof typeof HEADERS;

/** The headers that an answer may have, by its status, its content and its operation. */
export function headersOf(answer: {
  status: number;
  types: readonly string[];
  hasTag: boolean;
  isPlaced: boolean;
  isLimited: boolean;
  hasKey: boolean;
}): Record<string, { $ref: string }> {
  const { status, types, hasTag, isPlaced, isLimited, hasKey } = answer;
  const isDone = status < 300;
  const isFile = isDone && types.some((type) => !/json|html|text\/plain/.test(type));
  const names: [HeaderName, boolean][] = [
    ['X-Request-Id', true],
    ['RateLimit', isLimited],
    ['RateLimit-Policy', isLimited],
    ['Retry-After', [409, 429, 503].includes(status)],
    ['WWW-Authenticate', [401, 403].includes(status)],
    ['Accept-Post', status === 415],
    ['Accept', status === 415],
    ['ETag', (isDone && (hasTag || isFile)) || status === 304],
    ['Location', status === 303 || (status === 201 && isPlaced)],
    ['Set-Cookie', status === 303],
    ['Idempotency-Replayed', hasKey && isDone],
    ['Content-Disposition', isFile || status === 304],
  ];
  return Object.fromEntries(
    names.flatMap(([name, isSent]) =>
      isSent ? [[name, { $ref: `#/components/headers/${name}` }]] : [],
    ),
  );
}
