import { AddressList } from '../../kernel/address-list.js';

/** Calls to addresses that tenants gave may go here. */
export interface OutgoingConfig {
  /** Blocks that are called although they are nobody's public hosts, in CIDR notation. */
  ranges: readonly string[];
  /** First and last of each range. */
  ports: readonly (readonly [number, number])[];
}

const LARGEST_PORT = 65_535;
/** Clouds tell programs their keys here. */
const METADATA = ['169.254.169.254', 'fd00:ec2::254'];

export const areRanges = (text: string) => listed(text).every(AddressList.isBlock);

export const arePorts = (text: string) => listed(text).every((one) => portsOf(one) !== undefined);

/** @param variables each of which was found to be of its form */
export function outgoingConfig(variables: {
  QUITTANCE_OUTGOING_RANGES: string;
  QUITTANCE_OUTGOING_PORTS: string;
}): OutgoingConfig {
  return {
    ranges: listed(variables.QUITTANCE_OUTGOING_RANGES),
    ports: listed(variables.QUITTANCE_OUTGOING_PORTS).flatMap((text) => {
      const ports = portsOf(text);
      return ports ? [ports] : [];
    }),
  };
}

/** Whether a list of ranges opens what gives away the keys of this machine. */
export function opensMetadata(text: string): boolean {
  const list = new AddressList(listed(text).filter(AddressList.isBlock));
  return METADATA.some((address) => list.has(address));
}

/** `443`, or `8000-8999`. */
function portsOf(text: string): [number, number] | undefined {
  const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && first <= last && last <= LARGEST_PORT ? [first, last] : undefined;
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}
