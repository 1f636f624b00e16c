import { Injectable } from '@nestjs/common';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { GatewayRefusal, Gateways, MandatesQuery, PaymentLinks } from '../../payments/index.js';
import { type AtGateway, SandboxMoney } from './sandbox-money.js';
import type { SandboxThing } from './sandbox-told.js';
import { SandboxGateway } from './sandbox.gateway.js';

/** Finds what a sandbox can be told about, by the id that it has here. */
@Injectable()
export class SandboxThings {
  constructor(
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly mandates: MandatesQuery,
    private readonly money: SandboxMoney,
  ) {}

  /** @throws DomainError `not_found` of its kind; `not_of_sandbox` */
  async find(accountId: Uuid, id: string): Promise<{ thing: SandboxThing; at: SandboxGateway }> {
    const { thing, gateway } = await this.findAny(accountId, id);
    const at = gateway === null ? undefined : await this.gateways.find(gateway);
    if (at instanceof SandboxGateway) return { thing, at };
    throw GatewayRefusal.not_of_sandbox.of(
      `${id} ${gateway === null ? 'came through no gateway' : `is of ${gateway}`}; only a sandbox ` +
        'can be told what happens.',
    );
  }

  private async findAny(accountId: Uuid, id: string): Promise<AtGateway> {
    const [prefix = ''] = id.split('_');
    const finders = { ...this.finders, ...this.money.finders };
    if (isKnown(prefix, finders)) {
      const uuid = uuidOf(prefix, id);
      if (uuid) return finders[prefix](accountId, uuid);
    }
    const prefixes = Object.keys(finders).join('_, ');
    throw FieldRefusal.invalid_id.at(
      '/object',
      `object must be an id that begins with ${prefixes}_`,
    );
  }

  private readonly finders = {
    plink: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const link = await this.links.find(accountId, id);
      return { thing: { kind: 'payment_link', link }, gateway: link.gateway };
    },
    mand: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const { gateway } = await this.mandates.get(accountId, id);
      return { thing: { kind: 'mandate', id }, gateway };
    },
  };
}

function isKnown<Finders extends object>(
  prefix: string,
  finders: Finders,
): prefix is keyof Finders & string {
  return Object.hasOwn(finders, prefix);
}
