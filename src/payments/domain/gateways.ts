import { DomainError } from '../../kernel/domain-error.js';
import type { Gateway } from './gateway.js';

/** The configured gateways by name. */
export class Gateways {
  constructor(private readonly byName: ReadonlyMap<string, Gateway>) {}

  /** @throws DomainError `gateway_not_found` */
  get(name: string): Gateway {
    const gateway = this.byName.get(name);
    if (gateway) return gateway;
    throw DomainError.notFound(
      'gateway_not_found',
      `There is no such gateway; configured are: ${this.names().join(', ') || 'none'}.`,
    );
  }

  names(): string[] {
    return [...this.byName.keys()];
  }

  all(): Gateway[] {
    return [...this.byName.values()];
  }
}
