import { Injectable } from '@nestjs/common';
import { DueWork } from '../../../clocks/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { MailSender } from '../../domain/mail-sender.js';
import { DueQuotesQuery, type ExpiringQuote } from '../../infrastructure/due-quotes.query.js';
import { type WantedMessage, WantedMessages } from '../wanted-messages.js';

const LATE_DAYS = 3;
const MOST_QUOTES = 500;

/** Messages about quotes that are about to expire, to both sides, and that wait for their invoice. */
@Injectable()
export class QuoteRounds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly quotes: DueQuotesQuery,
    private readonly wanted: WantedMessages,
    private readonly sender: MailSender,
    dueWork: DueWork,
  ) {
    dueWork.add('quotes', (accountId) => this.round(accountId));
  }

  private async round(accountId: Uuid | null): Promise<number> {
    if (!this.sender.isConfigured) return 0;
    return this.uow.run(async (tx) => {
      const limits = { lateDays: LATE_DAYS, most: MOST_QUOTES };
      const expiring = await this.quotes.expiring(tx, accountId, tx.now(), limits);
      const waiting = await this.quotes.waiting(tx, accountId, tx.now(), MOST_QUOTES);
      const wanted: WantedMessage[] = [
        ...expiring.flatMap(toBothSides),
        ...waiting.map((one) => ({
          ...one,
          kind: 'quote_waiting' as const,
          fact: 'quote_waiting',
        })),
      ];
      await this.wanted.queue(tx, wanted);
      return wanted.length;
    });
  }
}

function toBothSides({ accountId, documentId, lastDay, day }: ExpiringQuote): WantedMessage[] {
  const kinds = ['quote_expiring', 'quote_expiring_seller'] as const;
  return kinds.map((kind) => ({ accountId, documentId, kind, fact: `${kind}:${lastDay}:${day}` }));
}
