/** Texts that lead elsewhere if they get into an address. @param port of a listener that nobody may call */
export function hostileTexts(port: number): string[] {
  const host = `127.0.0.1:${port}`;
  return [
    `http://${host}/v1/objects/1`,
    `https://${host}/v1/notifications/certs/CERT-1`,
    `//${host}/1`,
    `@${host}/1`,
    `user:password@${host}/1`,
    `.${host}/1`,
    `:${port}/1`,
    `\\\\${host}\\1`,
    `x\r\nHost: ${host}`,
    `x\n${host}`,
    '..',
    '.',
    '../../v1/accounts',
    '..%2f..%2fv1%2faccounts',
    '%2e%2e/%2e%2e',
    'x/../../y',
    'x?expand=y',
    'x#y',
    'x;y',
    'http://[::1]/1',
    'http://0x7f000001/1',
    'http://2130706433/1',
    `http://127。0。0。1:${port}/1`,
    'https://аpi.stripe.com/v1/objects/1',
    'file:///etc/passwd',
    'javascript:1',
    '\u0000',
    ' ',
    '',
  ];
}

/** The body over and over, each time with one text in it replaced. */
export function withEachText(value: unknown, others: readonly string[]): unknown[] {
  if (typeof value === 'string') return [...others];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    withEachText(inner, others).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  );
}
