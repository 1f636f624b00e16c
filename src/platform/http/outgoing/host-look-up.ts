import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { DnsFailed, NoOpenAddress } from './call-failure.js';

/** The addresses of a name; none, or a rejection, where it has none. */
export type HostLookUp = (host: string) => Promise<string[]>;

const TRY_MS = 2000;
const TRIES = 2;
/** A name may have any number. */
const MOST_ADDRESSES = 8;
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Asks the name servers by a socket of its own. The system's look-up waits in a thread, of which a
 * process has few: a tenant's slow name server would hold up everybody.
 * @param servers absent: those of the system
 */
export function nameServers(servers?: readonly string[]): HostLookUp {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    // RFC 6761 6.3: no name server is asked for it.
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/**
 * For a socket: looks a name up once, and gives only addresses that were judged. The next connection
 * judges what the name has then.
 */
export function judgedLookUp(
  lookUp: HostLookUp,
  isOpen: (address: string) => boolean,
): LookupFunction {
  const judged = callbackify(async (host: string) => {
    const found = await lookUp(host).catch((): string[] => []);
    if (found.length === 0) throw new DnsFailed();
    // One that is closed among open ones is a trap, or a mistake.
    if (!found.every(isOpen)) throw new NoOpenAddress();
    return found.slice(0, MOST_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
  });
  return (host, { all }, callback) => {
    judged(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
