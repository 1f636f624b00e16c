import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Gateway } from './gateway.js';

/** `GATEWAY_A_API_KEY` for `gateway-a`, `GATEWAY_MY_SHOP_API_KEY` for `my-shop`. */
export function gatewayVariable(gatewayName: string, setting: string): string {
  const name = gatewayName.replace(/^gateway-/, '');
  return `GATEWAY_${`${name}_${setting}`.toUpperCase().replaceAll('-', '_')}`;
}

/** The configured gateways by name. */
export class Gateways {
  constructor(private readonly byName: ReadonlyMap<string, Gateway>) {}

  /** For a provider, whose calls know no account. @throws DomainError `gateway_not_found` */
  get(name: string): Gateway {
    const gateway = this.byName.get(name);
    if (gateway) return gateway;
    throw DomainError.notFound('gateway_not_found', 'There is no such gateway.');
  }

  /**
   * For an account that is to be paid: its own, and no other.
   * @throws DomainError `gateway_not_found`, `gateway_not_assigned`
   */
  getFor(accountId: Uuid, name: string, isOnlyAccount: boolean): Gateway {
    const gateway = this.byName.get(name);
    if (gateway?.isOf(accountId, isOnlyAccount)) return gateway;
    if (gateway?.accounts === 'unsaid') {
      throw DomainError.conflict(
        'gateway_not_assigned',
        `Several accounts share this service, and gateway ${name} is assigned to none of them; the ` +
          `operator has to set ${gatewayVariable(name, 'accounts')}.`,
      );
    }
    const own = this.of(accountId, isOnlyAccount).join(', ');
    throw DomainError.notFound(
      'gateway_not_found',
      `There is no such gateway; this account may use: ${own || 'none'}.`,
    );
  }

  /** Names of those that an account may use. */
  of(accountId: Uuid, isOnlyAccount: boolean): string[] {
    return this.all().flatMap((each) => (each.isOf(accountId, isOnlyAccount) ? [each.name] : []));
  }

  all(): Gateway[] {
    return [...this.byName.values()];
  }
}
