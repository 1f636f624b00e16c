import type { AddressInfo } from 'node:net';

/** The URL by which a client on this machine reaches a server that listens there. */
export function serverUrl({ address, family, port }: AddressInfo): string {
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host === address ? `[${host}]` : host}:${port}`;
}
