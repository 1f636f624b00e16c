import { Injectable } from '@nestjs/common';
import { Documents } from '../../../documents/index.js';
import { Clock } from '../../../kernel/clock.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import { paymentLinkStatus } from '../../collecting/domain/payment-link.js';
import type { ProviderReport } from '../../port/domain/provider-report.js';
import { holderOfLink } from '../../port/infrastructure/gateway-accounts.query.js';
import { PaymentLinkRepository } from '../../collecting/infrastructure/payment-link.repository.js';

type ApprovedReport = Extract<ProviderReport, { kind: 'approved' }>;

/** To confirm an approval takes the payer's money: only for a link that still wants it. */
@Injectable()
export class WantedApprovals {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: Documents,
    private readonly links: PaymentLinkRepository,
    private readonly clock: Clock,
  ) {}

  async has(gateway: Gateway, report: ApprovedReport): Promise<boolean> {
    const linkId = await this.links.idNamedBy(gateway.name, report);
    const link = linkId && (await this.links.findAny(linkId));
    if (!link || link.gateway !== gateway.name) return false;
    const holder = await this.uow.run(async (tx) => holderOfLink(tx, gateway, link.id));
    if (!gateway.isOf({ ...holder, accountId: link.accountId })) return false;
    if (paymentLinkStatus(link, this.clock.now()) !== 'open') return false;
    const { status } = await this.documents.find(link.accountId, link.documentId);
    return status === 'open' || status === 'partially_paid';
  }
}
