import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { assert } from '../../kernel/assert.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { BankStatementFile } from '../domain/bank-statement.js';
import { BankStatementReader } from '../domain/bank-statement-reader.js';
import type { KeptHints } from '../domain/mappings/bank-file-mapping.js';
import {
  isReadAs,
  type SaidHints,
  hintsSaidOf,
  saidOver,
  saysMore,
} from '../domain/mappings/said-hints.js';
import {
  BankStatementRepository,
  type KnownBankStatement,
} from '../infrastructure/bank-statement.repository.js';
import {
  type BankStatement,
  BankStatementsQuery,
} from '../infrastructure/bank-statements.query.js';
import { BankEntries } from './bank-entries.service.js';
import { BankFileMappings } from './bank-file-mappings.service.js';
import { BankRefusal } from '../domain/refusals.js';

type Guard = CommitGuard<BankStatement>;

/** The importer of a file; without a client, the operator. */
type ByImporter = By & { clientId: Uuid | null };

/** A file that its account has not imported, or not so. */
interface NewFile {
  file: BankStatementFile;
  sha256: Buffer;
  said: SaidHints;
  kept: readonly KeptHints[];
}

/**
 * Imports the files of banks. A file is read outside of any transaction, and stored
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
    private readonly mappings: BankFileMappings,
    private readonly clock: Clock,
  ) {}

  /** The statement of a file: a new one, or the one that it was before. */
  async import(by: ByImporter, file: BankStatementFile, guard?: Guard): Promise<BankStatement> {
    const { accountId } = by;
    const said = hintsSaidOf(file);
    const sha256 = createHash('sha256').update(file.bytes).digest();
    const { timeZone } = await this.accounts.find(accountId);
    const before = await this.uow.run(
      async (tx) => {
        const known = await this.repository.findByFile(tx, accountId, sha256);
        // Of another type, it is refused by the reader, in words.
        if (known?.format.startsWith(file.format)) return { id: knownAs(known, said), kept: [] };
        const kept = file.format === 'csv' ? await this.mappings.of(tx, accountId) : [];
        return { id: null, kept };
      },
      // A key that was answered before is seen here; what is answered now is kept at the end.
      guard && { lookup: guard.lookup, onFound: guard.onFound },
    );
    const id = before.id ?? (await this.store(by, { file, sha256, said, kept: before.kept }));
    for (const entryId of await this.query.unjudged(accountId, id)) {
      const entry = await this.query.entry(accountId, entryId);
      if (entry) await this.entries.judge(by, entry, timeZone);
    }
    const statement = await this.query.find(accountId, id);
    assert(statement, 'a statement that was imported is there');
    return this.uow.run(async () => statement, guard);
  }

  private async store(by: ByImporter, { file, sha256, said, kept }: NewFile): Promise<Uuid> {
    const { accountId, clientId } = by;
    const read = await this.reader.read(accountId, { ...file, kept });
    const mapping = kept.find(({ id }) => id === read.mappingId);
    const hints = mapping ? saidOver(said, mapping.hints) : said;
    return this.uow.run(async (tx) => {
      const known = await this.repository.findByFile(tx, accountId, sha256);
      if (known) return knownAs(known, said);
      const statement = { accountId, sha256, hints, clientId, at: this.clock.now() };
      const id = await this.repository.insert(tx, statement, read);
      if (saysMore(said)) await this.mappings.keep(tx, by, read, hints);
      return id;
    });
  }
}

/** @throws DomainError `statement_read_otherwise` if it was not read as is said now */
function knownAs({ id, hints }: KnownBankStatement, said: SaidHints): Uuid {
  if (isReadAs(said, hints)) return id;
  // The same bytes read otherwise would be other entries, beside those of the first reading.
  throw BankRefusal.statement_read_otherwise.with({
    bank_statement_id: publicId('bstmt', id),
  });
}
