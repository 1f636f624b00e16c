import { BlockList, isIP } from 'node:net';

export const LARGEST_ADDRESS_LIST = 20;
/** A client that was moved oftener than that may have called from anywhere. */
const MOST_JOINED = 200;

/** IPv4 in the dress of IPv6, as a socket of both kinds shows it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** One block of addresses: `192.0.2.0/24`, `2001:db8::/32`, or a single address. */
class Block {
  private readonly list = new BlockList();

  private constructor(
    private readonly base: string,
    private readonly bits: number,
    private readonly family: 'ipv4' | 'ipv6',
  ) {
    this.list.addSubnet(base, bits, family);
  }

  static parse(text: string): Block | null {
    const [base = '', bits, ...more] = text.split('/');
    const version = base.includes('%') || MAPPED.test(base) ? 0 : isIP(base);
    if (version === 0 || more.length > 0) return null;
    const largest = version === 4 ? 32 : 128;
    if (bits !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bits)) return null;
    const length = bits === undefined ? largest : parseInt(bits, 10);
    return length > largest ? null : new Block(base, length, version === 4 ? 'ipv4' : 'ipv6');
  }

  has(address: string): boolean {
    const version = isIP(address);
    return version > 0 && this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  holds(other: Block): boolean {
    return other.family === this.family && other.bits >= this.bits && this.has(other.base);
  }
}

/** The addresses from which a client may call, in CIDR notation. */
export class AddressList {
  private readonly blocks: readonly Block[];

  /** @param texts each of which `isBlock` */
  constructor(texts: readonly string[]) {
    this.blocks = texts.flatMap((text) => Block.parse(text) ?? []);
  }

  static isBlock(text: string): boolean {
    return Block.parse(text) !== null;
  }

  /** All of these blocks, without those that another one holds; null if they are too many to keep. */
  static joined(texts: readonly string[]): string[] | null {
    let kept: string[] = [];
    for (const text of texts) {
      if (new AddressList(kept).holds(text)) continue;
      const list = new AddressList([text]);
      kept = [...kept.filter((block) => !list.holds(block)), text];
    }
    return kept.length > MOST_JOINED ? null : kept;
  }

  has(address: string | null | undefined): boolean {
    const plain = address?.replace(MAPPED, '').replace(/%.*/s, '');
    return plain !== undefined && this.blocks.some((block) => block.has(plain));
  }

  /** Whether one of these blocks has all of that one. */
  holds(text: string): boolean {
    const other = Block.parse(text);
    return other !== null && this.blocks.some((block) => block.holds(other));
  }
}
