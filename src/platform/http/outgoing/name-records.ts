import { Resolver } from 'node:dns/promises';

const TRY_MS = 2000;
const TRIES = 2;
/** The name server has spoken: there is no such name, or none of such records. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** No name server answered: the name may have records, or not. */
export class NameServersSilent extends Error {
  constructor(name: string, code: string) {
    super(`no name server answers for ${name} (${code})`);
  }
}

/** Records of names; empty where the name servers say that there are none. */
export interface NameRecords {
  /** TXT, each in one piece. */
  texts(name: string): Promise<string[]>;
  /** MX, the preferred ones first. */
  mailHosts(domain: string): Promise<string[]>;
  /** A and AAAA. */
  addresses(host: string): Promise<string[]>;
  /** PTR. */
  namesOf(address: string): Promise<string[]>;
}

/**
 * Asks the name servers. Every look-up throws {@link NameServersSilent} where none answers.
 * @param servers absent: those of the system
 */
export function nameRecords(servers?: readonly string[]): NameRecords {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return {
    texts: async (name) =>
      (await answered(name, resolver.resolveTxt(name))).map((parts) => parts.join('')),
    mailHosts: async (domain) =>
      (await answered(domain, resolver.resolveMx(domain)))
        .toSorted((one, other) => one.priority - other.priority)
        .map(({ exchange }) => exchange),
    addresses: async (host) => {
      const [four, six] = await Promise.all([
        answered(host, resolver.resolve4(host)),
        answered(host, resolver.resolve6(host)),
      ]);
      return [...four, ...six];
    },
    namesOf: async (address) => answered(address, resolver.reverse(address)),
  };
}

async function answered<Answer>(name: string, asked: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await asked;
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    if (NONE.has(code)) return [];
    throw new NameServersSilent(name, code);
  }
}
