import { type AddressInfo, connect, createServer } from 'node:net';

/** The real server, which says something else on the way here. */
export async function aServerSaying(
  real: string,
  change: (said: Buffer) => Buffer,
): Promise<{ url: string; close(): void }> {
  const { port, hostname } = new URL(real);
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    incoming.pipe(outgoing);
    outgoing.on('data', (said) => incoming.write(change(said)));
    outgoing.on('close', () => incoming.destroy());
    for (const socket of [incoming, outgoing]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(real);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => void server.close() };
}
