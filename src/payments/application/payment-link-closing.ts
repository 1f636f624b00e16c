import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DocumentWriter } from '../../documents/index.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

/** A document that is paid, withdrawn or declined wants no money, so its links close with it. */
@Injectable()
export class PaymentLinkClosing implements OnModuleInit {
  constructor(
    private readonly documents: DocumentWriter,
    private readonly links: PaymentLinkRepository,
  ) {}

  onModuleInit(): void {
    for (const type of ['document.paid', 'document.voided', 'document.rejected'] as const) {
      this.documents.on(type, (tx, { document: { state }, at }) =>
        this.links.cancelOpenOf(tx, state.accountId, state.id, at),
      );
    }
  }
}
