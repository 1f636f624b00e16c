import { isIP } from 'node:net';

/** An IP address, or a network as address and prefix length (RFC 4632, RFC 4291). */
export function isNetwork(text: string): boolean {
  const [address = '', length = '0', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isLength = /^\d{1,3}$/.test(length) && Number.parseInt(length, 10) <= bits;
  // A zone has a meaning on one machine only, and PostgreSQL knows none.
  return isLength && more.length === 0 && !address.includes('%');
}
