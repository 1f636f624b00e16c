import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../../auth/index.js';
import type { Tx } from '../../../platform/database/unit-of-work.js';
import {
  assertCalculable,
  type LineNames,
  type LineRequest,
} from '../../domain/calculation/calculation-request.js';
import { taxedByName, taxRateOf } from '../../domain/catalogue/named-taxes.js';
import type { DraftRequest } from '../../domain/draft-request.js';
import { sellerOf } from '../../domain/parties/party.js';
import { TaxRateRepository } from '../../infrastructure/catalogue/tax-rate.repository.js';

/** Copies to lines what they name. All ways to write lines come by here, so they get the same. */
@Injectable()
export class Catalogue {
  constructor(private readonly taxRates: TaxRateRepository) {}

  /**
   * One query for all lines, and none where no line names anything.
   * @param tx null for what is not stored
   * @throws DomainError as `taxedByName`
   */
  async copied(
    tx: Tx | null,
    account: AccountRow,
    lines: LineRequest[],
    before: readonly LineNames[],
  ): Promise<LineRequest[]> {
    const defaultId = defaultTaxRateOf(account);
    const ids = lines.flatMap((line) => taxRateOf(line, defaultId) ?? []);
    if (ids.length === 0) return lines;
    const rates = await this.taxRates.named(tx, account.accountId, ids);
    const byId = new Map(rates.map((rate) => [rate.id, rate]));
    return taxedByName(lines, byId, defaultId, before);
  }
}

/** Judges lines that name nothing before the database is asked. @throws DomainError */
export function assertCalculableAlone(request: DraftRequest, account: AccountRow): void {
  const defaultId = defaultTaxRateOf(account);
  if (request.lines.some((line) => taxRateOf(line, defaultId) !== null)) return;
  assertCalculable({ ...request, currency: request.currency ?? account.currency });
}

/** Lines of a small business that say nothing of tax have none. */
function defaultTaxRateOf({ seller, defaultTaxRateId }: AccountRow) {
  return sellerOf(seller).small_business ? null : defaultTaxRateId;
}
