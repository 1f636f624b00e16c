import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import { gatewayDisabled } from './account-gateway.js';
import type { Gateway, GatewayHolder } from './gateway.js';
import { GatewayRefusal } from './gateway-refusals.js';

/** `GATEWAY_A_API_KEY` for `gateway-a`, `GATEWAY_MY_SHOP_API_KEY` for `my-shop`. */
export function gatewayVariable(gatewayName: string, setting: string): string {
  const name = gatewayName.replace(/^gateway-/, '');
  return `GATEWAY_${`${name}_${setting}`.toUpperCase().replaceAll('-', '_')}`;
}

/** A gateway's name in metrics. Accounts make any number of their own, so these go by provider. */
export function countedGateway({ name, provider }: Pick<Gateway, 'name' | 'provider'>): string {
  return uuidOf('gw', name) === undefined ? name : provider;
}

/** Reads in the transaction of the caller. */
export interface Reads {
  read<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** A gateway that its account configured itself, open. */
export interface OwnGateway {
  gateway: Gateway;
  /** The account's own name for it; `gateway.name` is its id. */
  ownName: string;
  isEnabled: boolean;
}

/** The gateways that accounts configured themselves, as they are now. */
export abstract class OwnGateways {
  /** @throws DomainError `gateway_unreadable` */
  abstract find(key: string, reads?: Reads): Promise<OwnGateway | undefined>;

  /** Those that can be read. */
  abstract ofAccount(accountId: Uuid, reads?: Reads): Promise<readonly OwnGateway[]>;

  /** Those of all accounts that can be read. */
  abstract ofAllAccounts(): Promise<readonly OwnGateway[]>;
}

/** An account that wants a gateway. */
export interface GatewayWish extends GatewayHolder {
  /** The caller's transaction, if it has one. */
  reads?: Reads;
}

/** An account whose money a gateway took before: it stays its own, whatever accounts there are now. */
export function payeeOf(accountId: Uuid, reads?: Reads): GatewayWish {
  return { accountId, isOnlyAccount: true, isTest: true, ...(reads && { reads }) };
}

/**
 * The gateways of the configuration by name, and those of accounts by id. The configured ones need
 * no database.
 */
export class Gateways {
  constructor(
    private readonly byName: ReadonlyMap<string, Gateway>,
    private readonly own: OwnGateways,
  ) {}

  /** A configured one. */
  get(name: string): Gateway {
    const gateway = this.byName.get(name);
    if (gateway) return gateway;
    throw GatewayRefusal.gateway_not_found.of('There is no such gateway.');
  }

  /** Any, also a disabled one: calls of a provider know no account. */
  async find(key: string): Promise<Gateway> {
    const own = this.byName.has(key) ? undefined : await this.own.find(key);
    return own?.gateway ?? this.get(key);
  }

  /** For an account whose money it holds: its own, and no other, also a disabled one. */
  async getFor(key: string, wish: GatewayWish): Promise<Gateway> {
    const found = await this.findFor(key, wish);
    if (found) return found;
    if (this.byName.get(key)?.accounts === 'unsaid') {
      throw GatewayRefusal.gateway_not_assigned.of(
        `Several accounts share this service, and gateway ${key} is assigned to none of them; the ` +
          `operator has to set ${gatewayVariable(key, 'accounts')}.`,
      );
    }
    const names = (await this.of(wish)).map(({ name }) => name).join(', ');
    throw GatewayRefusal.gateway_not_found.of(
      `There is no such gateway; this account may use: ${names || 'none'}.`,
    );
  }

  /** The same; undefined if it is not its own. */
  async findFor(key: string, wish: GatewayWish): Promise<Gateway | undefined> {
    const gateway = this.byName.get(key) ?? (await this.own.find(key, wish.reads))?.gateway;
    return gateway?.isOf(wish) ? gateway : undefined;
  }

  /**
   * For an account that is to be paid. Its own gateways go by id or name.
   * @throws DomainError as `getFor`; `gateway_disabled`
   */
  async getToCollect(nameOrId: string, wish: GatewayWish): Promise<Gateway> {
    const configured = this.byName.get(nameOrId);
    if (configured?.isOf(wish)) return configured;
    const all = await this.own.ofAccount(wish.accountId, wish.reads);
    const own = all.find(({ gateway, ownName }) => [gateway.name, ownName].includes(nameOrId));
    if (!own) return this.getFor(nameOrId, wish);
    if (!own.isEnabled) throw gatewayDisabled(nameOrId);
    return own.gateway;
  }

  /** Those through which an account may be paid. */
  async of(wish: GatewayWish): Promise<Gateway[]> {
    const configured = this.all().filter((each) => each.isOf(wish));
    const own = await this.own.ofAccount(wish.accountId, wish.reads);
    return [...configured, ...own.filter((one) => one.isEnabled).map(({ gateway }) => gateway)];
  }

  /** All there are, also disabled ones: money may be under way. */
  async everywhere(): Promise<Gateway[]> {
    const own = await this.own.ofAllAccounts();
    return [...this.all(), ...own.map(({ gateway }) => gateway)];
  }

  /** The configured ones. */
  all(): Gateway[] {
    return [...this.byName.values()];
  }
}
