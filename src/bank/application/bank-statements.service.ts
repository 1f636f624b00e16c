import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { assert } from '../../kernel/assert.js';
import type { Progress } from '../../kernel/progress.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { BankStatementFile } from '../domain/bank-statement.js';
import { hintsSaidOf } from '../domain/mappings/said-hints.js';
import {
  type BankStatement,
  BankStatementsQuery,
} from '../infrastructure/bank-statements.query.js';
import { BankEntryJudging } from './bank-entry-judging.service.js';
import { type ByImporter, NewBankStatements } from './new-bank-statements.js';

type Guard = CommitGuard<BankStatement>;

/**
 * Imports the files of banks. A file is read outside of any transaction, and stored
 * with its entries in one transaction. Then each entry is booked or proposed in a transaction of
 * its own. If an import breaks off, the same file goes on where it was.
 */
@Injectable()
export class BankStatements {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly query: BankStatementsQuery,
    private readonly judging: BankEntryJudging,
    private readonly accounts: Accounts,
    private readonly files: NewBankStatements,
  ) {}

  /** The statement of a file: a new one, or the one that it was before. */
  async import(
    by: ByImporter,
    file: BankStatementFile,
    guard?: Guard,
    progress?: Progress,
  ): Promise<BankStatement> {
    const { accountId } = by;
    const said = hintsSaidOf(file);
    const sha256 = createHash('sha256').update(file.bytes).digest();
    const { timeZone } = await this.accounts.find(accountId);
    const before = await this.files.known(by, { file, sha256, said }, guard);
    const id = before.id ?? (await this.files.store(by, { file, sha256, said, kept: before.kept }));
    const unjudged = await this.query.unjudged(accountId, id);
    for (const [at, entryId] of unjudged.entries()) {
      progress?.(at, unjudged.length);
      const entry = await this.query.entry(accountId, entryId);
      if (entry) await this.judging.judge(by, entry, timeZone);
    }
    progress?.(unjudged.length, unjudged.length);
    const statement = await this.query.find(accountId, id);
    assert(statement, 'a statement that was imported is there');
    return this.uow.run(async () => statement, guard);
  }
}
