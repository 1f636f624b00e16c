import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventLog } from '../../events/index.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

/** A document that was withdrawn or declined takes no money, so its links close with it. */
@Injectable()
export class LinkClosing implements OnModuleInit {
  constructor(
    private readonly events: EventLog,
    private readonly links: PaymentLinkRepository,
  ) {}

  onModuleInit(): void {
    for (const type of ['document.voided', 'document.rejected'] as const) {
      this.events.on(type, (tx, { accountId, document, occurredAt }) => {
        if (document) this.links.cancelOpenOf(tx, accountId, document.id, occurredAt);
      });
    }
  }
}
