import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../../auth/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  assertCalculable,
  type LineNames,
  type LineRequest,
} from '../../domain/calculation/calculation-request.js';
import { copiedLines, type PriceTerms, taxRateOf } from '../../domain/catalogue/copied-lines.js';
import type { DraftRequest } from '../../domain/drafts/draft-request.js';
import { sellerOf } from '../../domain/parties/party.js';
import { CatalogueItemRepository } from '../../infrastructure/catalogue/catalogue-item.repository.js';
import { TaxRateRepository } from '../../infrastructure/catalogue/tax-rate.repository.js';

/** Copies to lines what they name. All ways to write lines come by here, so they get the same. */
@Injectable()
export class Catalogue {
  constructor(
    private readonly items: CatalogueItemRepository,
    private readonly taxRates: TaxRateRepository,
  ) {}

  /**
   * One query for all items and one for all tax rates, and none where no line names anything.
   * @param tx null for what is not stored
   * @throws DomainError as `copiedLines`
   */
  async copied(
    tx: Tx | null,
    account: AccountRow,
    lines: LineRequest[],
    terms: PriceTerms,
    before: readonly LineNames[],
  ): Promise<LineRequest[]> {
    const { accountId } = account;
    const defaultTaxRateId = defaultTaxRateOf(account);
    const itemIds = lines.flatMap(({ itemId }) => itemId ?? []);
    const items = byId(await this.items.named(tx, accountId, itemIds));
    const rateIds = lines.flatMap((line) => taxRateOf(line, { items, defaultTaxRateId }) ?? []);
    const taxRates = byId(await this.taxRates.named(tx, accountId, rateIds));
    return copiedLines(lines, { items, taxRates, defaultTaxRateId }, terms, before);
  }
}

/** Judges lines that name nothing before the database is asked. @throws DomainError */
export function assertCalculableAlone(request: DraftRequest, account: AccountRow): void {
  const named = { items: new Map(), defaultTaxRateId: defaultTaxRateOf(account) };
  const names = (line: LineRequest) => line.itemId != null || taxRateOf(line, named) !== null;
  if (request.lines.some(names)) return;
  assertCalculable({ ...request, currency: request.currency ?? account.currency });
}

/** Lines of a small business that say nothing of tax have none. */
function defaultTaxRateOf({ seller, defaultTaxRateId }: AccountRow): Uuid | null {
  return sellerOf(seller).small_business ? null : defaultTaxRateId;
}

function byId<Entry extends { id: Uuid }>(entries: Entry[]): ReadonlyMap<Uuid, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
