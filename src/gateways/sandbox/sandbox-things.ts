import { Injectable } from '@nestjs/common';
import { PayoutsQuery } from '../../bank/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import {
  DisputesQuery,
  GatewayRefusal,
  Gateways,
  HoldingsQuery,
  MandatesQuery,
  PaymentLinks,
  PaymentRefusal,
  RefundsQuery,
} from '../../payments/index.js';
import type { SandboxThing } from './sandbox-told.js';
import { SandboxGateway } from './sandbox.gateway.js';

interface AtGateway {
  thing: SandboxThing;
  /** Null: no gateway has anything to do with it. */
  gateway: string | null;
}

/** Finds what a sandbox can be told about, by the id that it has here. */
@Injectable()
export class SandboxThings {
  constructor(
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly mandates: MandatesQuery,
    private readonly holdings: HoldingsQuery,
    private readonly refunds: RefundsQuery,
    private readonly disputes: DisputesQuery,
    private readonly payouts: PayoutsQuery,
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
    if (isKnown(prefix, this.finders)) {
      const uuid = uuidOf(prefix, id);
      if (uuid) return this.finders[prefix](accountId, uuid);
    }
    const prefixes = Object.keys(this.finders).join('_, ');
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
    pay: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const holding = await this.holdings.find(accountId, id);
      if (!holding) throw PaymentRefusal.payment_not_found.of();
      const { source, amount } = holding.payment;
      const { gateway, providerPaymentId: paymentId } =
        'gateway' in source ? source : { gateway: null, providerPaymentId: '' };
      const linkId = source.by === 'gateway' ? publicId('plink', source.paymentLinkId) : '';
      return { thing: { kind: 'payment', of: { linkId, paymentId, amount } }, gateway };
    },
    rfnd: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const refund = await this.refunds.get(accountId, id);
      return { thing: { kind: 'refund', refund }, gateway: refund.gateway };
    },
    dsp: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const dispute = await this.disputes.get(accountId, id);
      return { thing: { kind: 'dispute', dispute }, gateway: dispute.gateway };
    },
    pout: async (accountId: Uuid, id: Uuid): Promise<AtGateway> => {
      const payout = await this.payouts.get(accountId, id);
      const lines = await this.payouts.linesOf(payout);
      return { thing: { kind: 'payout', payout: { ...payout, lines } }, gateway: payout.gateway };
    },
  };
}

function isKnown<Finders extends object>(
  prefix: string,
  finders: Finders,
): prefix is keyof Finders & string {
  return Object.hasOwn(finders, prefix);
}
