import { Injectable } from '@nestjs/common';
import { assert } from '../../../../kernel/assert.js';
import { DocumentsQuery } from '../../../../documents/index.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import { publicId } from '../../../../kernel/ids.js';
import type { CommitGuard } from '../../../../platform/database/tx.js';
import type {
  CollectionRequest,
  DirectDebits,
} from '../../../port/domain/mandates/direct-debits.js';
import { Gateways } from '../../../port/domain/gateways.js';
import { debitsOf } from '../../domain/mandates/mandate.js';
import type { PaymentLink } from '../../domain/payment-link.js';
import { MandatesQuery } from '../../infrastructure/mandates/mandates.query.js';
import { CollectionSettlement } from './collection-settlement.js';
import { GatewayRefusal } from '../../../port/domain/gateway-refusals.js';

/** Asks providers to collect links, outside any transaction, and has their answers written. */
@Injectable()
export class CollectionCalls {
  constructor(
    private readonly gateways: Gateways,
    private readonly mandates: MandatesQuery,
    private readonly documents: DocumentsQuery,
    private readonly settlement: CollectionSettlement,
  ) {}

  /**
   * An answer that does not come leaves the link open, to be sent again under the same key.
   * @param isRepeated it may be there already
   * @throws DomainError `gateway_refused`, with the link failed
   */
  async send(
    link: PaymentLink,
    isRepeated: boolean,
    guard?: CommitGuard<PaymentLink>,
  ): Promise<PaymentLink> {
    let id: string;
    try {
      const { debits, request } = await this.of(link, isRepeated);
      id = await debits.collect(request);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== GatewayRefusal.gateway_refused.code)
        return this.settlement.unknown(link, guard);
      const { provider_code: code } = error.context;
      await this.settlement.refused(link, typeof code === 'string' ? code : 'refused');
      throw error;
    }
    return this.settlement.placed(link, id, guard);
  }

  /** The link with the payment that a lost call has made; undefined if there is none. */
  async findLost(link: PaymentLink): Promise<PaymentLink | undefined> {
    const { debits, request } = await this.of(link, true);
    const id = await debits.find(request);
    return id === undefined ? undefined : this.settlement.placed(link, id);
  }

  private async of(
    link: PaymentLink,
    isRepeated: boolean,
  ): Promise<{ debits: DirectDebits; request: CollectionRequest }> {
    assert(link.collection !== null, 'only a link that is collected is sent');
    const { mandateId, chargeOn } = link.collection;
    const [gateway, mandate, document] = await Promise.all([
      this.gateways.find(link.gateway),
      this.mandates.get(link.accountId, mandateId),
      this.documents.find(link.accountId, link.documentId),
    ]);
    const debits = debitsOf(gateway);
    assert(mandate.providerMandateId !== null, 'only an active mandate is collected by');
    const request = {
      linkId: publicId('plink', link.id),
      providerMandateId: mandate.providerMandateId,
      amount: link.amount,
      description: `Invoice ${document?.number ?? ''}`,
      chargeOn,
      requestedAt: link.createdAt,
      isRepeated,
    };
    return { debits, request };
  }
}
