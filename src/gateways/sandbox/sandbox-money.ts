import { Injectable } from '@nestjs/common';
import { PayoutsQuery } from '../../bank/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import {
  DisputesQuery,
  HoldingsQuery,
  PaymentRefusal,
  RefundsQuery,
} from '../../payments/index.js';
import type { SandboxThing } from './sandbox-told.js';

export interface AtGateway {
  thing: SandboxThing;
  /** Null: no gateway has anything to do with it. */
  gateway: string | null;
}

/** Finds money that came in, and where it went from there. */
@Injectable()
export class SandboxMoney {
  constructor(
    private readonly holdings: HoldingsQuery,
    private readonly refunds: RefundsQuery,
    private readonly disputes: DisputesQuery,
    private readonly payouts: PayoutsQuery,
  ) {}

  /** By the first letters of its id. */
  readonly finders = {
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
