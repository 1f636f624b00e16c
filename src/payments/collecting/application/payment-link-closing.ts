import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DocumentWriter } from '../../../documents/index.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

const TAKES_NO_MONEY: ReadonlySet<string> = new Set(['paid', 'void', 'rejected']);

/**
 * A document that is paid, withdrawn or declined wants no money, so its links close with it
 * (decision 159).
 */
@Injectable()
export class PaymentLinkClosing implements OnModuleInit {
  constructor(
    private readonly documents: DocumentWriter,
    private readonly links: PaymentLinkRepository,
  ) {}

  onModuleInit(): void {
    this.documents.onStatus((tx, { document: { state, status }, at }) => {
      if (TAKES_NO_MONEY.has(status)) this.links.cancelOpenOf(tx, state.accountId, state.id, at);
    });
  }
}
