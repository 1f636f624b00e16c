import { BlockList, isIP } from 'node:net';
import { AddressList } from '../../../kernel/address-list.js';

/**
 * IPv4 that is nobody's public host, by IANA's registry of special purposes; and the host by which
 * Azure talks to its machines.
 */
const CLOSED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** All hosts of IPv6 are in here: loopback, private, mapped and translated addresses are not. */
const GLOBAL_V6 = ['2000::', 3] as const;

/** Protocols with Teredo, documentation, 6to4 and AS112, within what is global. */
const CLOSED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, bits] of CLOSED_V4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of CLOSED_V6) closed.addSubnet(net, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** Says which addresses may be called on behalf of a tenant. */
export class AddressJudge {
  private readonly opened: AddressList;

  /** @param ranges of the operator, which are open although they are nobody's public hosts */
  constructor(ranges: readonly string[]) {
    this.opened = new AddressList(ranges);
  }

  isOpen(address: string): boolean {
    const version = isIP(address);
    // A zone belongs to addresses of a link.
    if (version === 0 || address.includes('%')) return false;
    if (this.opened.has(address)) return true;
    if (version === 4) return !closed.check(address, 'ipv4');
    return global.check(address, 'ipv6') && !closed.check(address, 'ipv6');
  }
}
