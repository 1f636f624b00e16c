import { Injectable } from '@nestjs/common';
import type { WrittenTaxRelief } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { LedgerEntry, LossKind } from '../domain/ledger.js';

/** One claim or correction of the tax in what was let go of a document. */
interface TaxRelief extends Pick<
  LedgerEntry,
  'accountId' | 'effective' | 'notBefore' | 'recordedAt'
> {
  id: Uuid;
  documentId: Uuid;
  loss: LossKind;
  changes: WrittenTaxRelief['changes'];
}

/** The tax that is claimed back of losses, by rate: it only ever grows. */
@Injectable()
export class TaxReliefRepository {
  /** On the same day as its transfers: see `LedgerRepository.insert`. */
  insert(tx: Tx, { changes, effective, notBefore = null, ...relief }: TaxRelief): void {
    const isInstant = effective instanceof Date;
    tx.write(
      `INSERT INTO tax_reliefs (account_id, relief_id, document_id, currency, tax_category, tax_rate,
         base, tax, effective_on, recorded_at, loss)
       SELECT $1, $2, $3, $4, g.category, g.rate, sum(g.base), sum(g.tax),
         greatest(coalesce($5::date, ($6::timestamptz AT TIME ZONE a.time_zone)::date), $7::date,
           a.books_open_from), $8, $13
       FROM accounts a, unnest($9::text[], $10::numeric[], $11::bigint[], $12::bigint[])
         AS g (category, rate, base, tax)
       WHERE a.account_id = $1 GROUP BY a.time_zone, a.books_open_from, g.category, g.rate
       HAVING sum(g.base) <> 0 OR sum(g.tax) <> 0`,
      [
        relief.accountId,
        relief.id,
        relief.documentId,
        changes[0]?.tax.currency,
        isInstant ? null : effective,
        isInstant ? effective : null,
        notBefore,
        relief.recordedAt,
        changes.map(({ category }) => category),
        changes.map(({ rate }) => rate),
        changes.map(({ base }) => base.minor),
        changes.map(({ tax }) => tax.minor),
        relief.loss,
      ],
    );
  }
}
