import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * The address that limits count. For IPv6 it is the network (RFC 6177), because one household has
 * 2^64 addresses. `QUITTANCE_TRUST_PROXY` says whether `X-Forwarded-For` is believed.
 */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  const address = ip ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (isIPv6(address)) return `${network(address)}::/64`;
  // A proxy may write anything there.
  return isIP(address) ? address : 'unknown';
}

/** The first four groups, without leading zeros. */
function network(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean);
  // An IPv4 address at the end stands for two groups.
  const written = groups.length + last.length + (last.at(-1)?.includes('.') ? 1 : 0);
  if (tail !== undefined) groups.push(...Array<string>(8 - written).fill('0'), ...last);
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

const NEAR = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  NEAR.addSubnet(net, bits, 'ipv4');
}
NEAR.addSubnet('fc00::', 7, 'ipv6');
NEAR.addSubnet('fe80::', 10, 'ipv6');
NEAR.addAddress('::1', 'ipv6');

/** An address of our own network is that of a proxy, and anybody may stand behind that. */
export function isNear({ ip = '' }: Pick<Request, 'ip'>): boolean {
  const version = isIP(ip);
  return version !== 0 && NEAR.check(ip, version === 6 ? 'ipv6' : 'ipv4');
}
