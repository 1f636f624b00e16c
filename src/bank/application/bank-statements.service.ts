import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { assert } from '../../kernel/assert.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type BankStatementFile, BankStatementReader } from '../domain/bank-statement.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import {
  type BankStatement,
  BankStatementsQuery,
} from '../infrastructure/bank-statements.query.js';
import { BankEntries, type ByBankClient } from './bank-entries.service.js';

type Guard = CommitGuard<BankStatement>;

/**
 * Imports the files of banks. A file is read before the database is opened, and stored
 * with its entries in one transaction. Then each entry is booked or proposed in a transaction of
 * its own. If an import breaks off, the same file goes on where it was.
 */
@Injectable()
export class BankStatements {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly query: BankStatementsQuery,
    private readonly reader: BankStatementReader,
    private readonly entries: BankEntries,
    private readonly accounts: Accounts,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * The statement of a file: a new one, or the one that it was before.
   * @throws DomainError `malformed_statement`, `statement_too_large`, `statement_busy`,
   *   `statement_read_otherwise`, `account_not_found`
   */
  async import(by: ByBankClient, file: BankStatementFile, guard?: Guard): Promise<BankStatement> {
    const { accountId } = by;
    const read = await this.reader.read(accountId, file);
    const hints = hintsOf(file);
    const sha256 = createHash('sha256').update(file.bytes).digest();
    const { timeZone } = await this.accounts.find(accountId);
    const id = await this.uow.run(
      async (tx) => {
        const known = await this.repository.findByFile(tx, accountId, sha256, hints);
        if (known && !known.isReadSo) throw readOtherwise(known.id);
        if (known) return known.id;
        const statementId = this.ids.next();
        const statement = { accountId, id: statementId, sha256, hints, clientId: by.clientId };
        await this.repository.insert(tx, { ...statement, at: this.clock.now() }, read);
        return statementId;
      },
      // A key that was answered before is seen here; what is answered now is kept at the end.
      guard && { lookup: guard.lookup, onFound: guard.onFound },
    );
    for (const entryId of await this.query.unjudged(accountId, id)) {
      const entry = await this.query.entry(accountId, entryId);
      if (entry) await this.entries.judge(by, entry, timeZone);
    }
    const statement = await this.query.find(accountId, id);
    assert(statement, 'a statement that was imported is there');
    return this.uow.run(async () => statement, guard);
  }
}

/** How the caller says that a file is to be read, apart from order; nothing where the file says it itself. */
function hintsOf(file: BankStatementFile): Record<string, unknown> {
  const {
    columns = new Map<string, string>(),
    words,
    ...hints
  } = 'hints' in file ? file.hints : {};
  const said = {
    ...hints,
    bookedStates: file.bookedStates,
    creditWords: words?.credit ?? [],
    debitWords: words?.debit ?? [],
    columns: [...columns].map((pair) => pair.join('=')),
  };
  return Object.fromEntries(
    Object.entries(said)
      .map(([name, hint]) => [name, Array.isArray(hint) ? hint.toSorted() : hint] as const)
      .filter(([, hint]) => hint !== null && (!Array.isArray(hint) || hint.length > 0)),
  );
}

/** The same bytes read otherwise would be other entries, beside those of the first reading. */
function readOtherwise(known: Uuid): DomainError {
  return DomainError.conflict(
    'statement_read_otherwise',
    'This file was imported with other hints, and that reading counts; DELETE its statement first, then send the file again.',
    { bank_statement_id: publicId('bstmt', known) },
  );
}
