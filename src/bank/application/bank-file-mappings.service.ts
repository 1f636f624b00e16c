import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { tidyBankAccount } from '../../kernel/tidy-text.js';
import type { KeyedBankStatement } from '../domain/bank-statement.js';
import {
  type BankFileMapping,
  keptHeader,
  type KeptHints,
  MOST_MAPPINGS,
  tooManyMappings,
} from '../domain/mappings/bank-file-mapping.js';
import { type SaidHints, withoutAccount } from '../domain/mappings/said-hints.js';
import { BankFileMappingRepository } from '../infrastructure/bank-file-mapping.repository.js';

/** Keeps how the files of a bank account are read, and forgets it. The last told wins. */
@Injectable()
export class BankFileMappings {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankFileMappingRepository,
    private readonly audit: AuditLog,
  ) {}

  /** All that the account was told, of whatever bank account. */
  async of(tx: Tx, accountId: Uuid): Promise<KeptHints[]> {
    return this.repository.all(tx, accountId);
  }

  /** Keeps the hints by which a file was read, if all of its entries are of one bank account. */
  async keep(
    tx: Tx,
    by: By & { clientId: Uuid | null },
    { sections, header }: KeyedBankStatement,
    readBy: SaidHints,
  ): Promise<void> {
    const bankAccount = onlyAccountOf(sections);
    if (bankAccount === null || header === undefined) return;
    const hints = withoutAccount(readBy);
    const told = {
      header: keptHeader(header),
      hints,
      toldAt: tx.now(),
      clientId: by.clientId,
    };
    const before = await this.repository.ofAccountForUpdate(tx, by.accountId, bankAccount);
    if (before && isToldSo(before, told)) return;
    if (!before && (await this.repository.count(tx, by.accountId)) >= MOST_MAPPINGS) {
      throw tooManyMappings();
    }
    const after = { id: before?.id ?? tx.newId(), bankAccount, ...told };
    if (before) this.repository.update(tx, by.accountId, after);
    else this.repository.insert(tx, by.accountId, after);
    this.note(tx, by, before ?? null, after);
  }

  async forget(by: By, id: Uuid, guard?: CommitGuard<object>): Promise<object> {
    return this.uow.run(async (tx) => {
      const mapping = await this.repository.getForUpdate(tx, by.accountId, id);
      this.repository.delete(tx, by.accountId, id);
      this.note(tx, by, mapping, null);
      return {};
    }, guard);
  }

  private note(tx: Tx, by: By, before: BankFileMapping | null, after: BankFileMapping | null) {
    const step = before ? (after ? 'updated' : 'deleted') : 'created';
    this.audit.record(tx, by, {
      action: `bank_file_mapping.${step}`,
      subject: publicId('bmap', (before ?? after)?.id ?? ''),
      before: before && fieldsOf(before),
      after: after && fieldsOf(after),
    });
  }
}

const fieldsOf = ({ bankAccount, header, hints }: BankFileMapping) => ({
  bank_account: bankAccount,
  header,
  hints,
});

function onlyAccountOf(sections: KeyedBankStatement['sections']): string | null {
  const [only = null, ...others] = new Set(sections.map(({ account }) => tidyBankAccount(account)));
  const hasEntries = sections.some(({ entries }) => entries.length > 0);
  return others.length === 0 && hasEntries ? only : null;
}

type Told = Pick<BankFileMapping, 'header' | 'hints'>;

/** JSON in the database has its names in an order of its own. */
function isToldSo(before: Told, told: Told): boolean {
  const text = ({ header, hints }: Told) =>
    JSON.stringify([
      header,
      Object.entries(hints).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ]);
  return text(before) === text(told);
}
