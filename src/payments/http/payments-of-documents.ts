import { Injectable } from '@nestjs/common';
import { DocumentExpansions } from '../../documents/index.js';
import { WHOLE } from '../../platform/http/paging.js';
import { presentHolding } from '../recording/wire/payment.js';
import { HoldingsQuery } from '../recording/infrastructure/holdings.query.js';

const MOST_PAYMENTS = 10;

/** The payments that a reader of documents may ask for beside them. */
@Injectable()
export class PaymentsOfDocuments {
  constructor(expansions: DocumentExpansions, holdings: HoldingsQuery) {
    expansions.readBy('payments', async (accountId, documents) => {
      const found = await holdings.ofDocuments(accountId, documents, MOST_PAYMENTS + 1);
      const listed = documents.map((id) => {
        const all = found.get(id) ?? [];
        const data = all.slice(0, MOST_PAYMENTS).map(presentHolding);
        return [id, { data, ...WHOLE, has_more: all.length > MOST_PAYMENTS }] as const;
      });
      return new Map(listed);
    });
  }
}
