import { Injectable } from '@nestjs/common';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { type CommitGuard, lookUpOf } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { BankStatementFile } from '../domain/bank-statement.js';
import { BankStatementReader } from '../domain/bank-statement-reader.js';
import type { KeptHints } from '../domain/mappings/bank-file-mapping.js';
import { isReadAs, type SaidHints, saidOver, saysMore } from '../domain/mappings/said-hints.js';
import {
  BankStatementRepository,
  type KnownBankStatement,
} from '../infrastructure/bank-statement.repository.js';
import { bankStatementStep } from '../wire/bank-events.js';
import { BankFileMappings } from './bank-file-mappings.service.js';
import { BankRefusal } from '../domain/refusals.js';

/** The importer of a file; without a client, the operator. */
export type ByImporter = By & { clientId: Uuid | null };

/** A file that its account has not imported, or not so. */
interface NewFile {
  file: BankStatementFile;
  sha256: Buffer;
  said: SaidHints;
  kept: readonly KeptHints[];
}

/** Files that an account has not imported: they are read, and kept with their entries. */
@Injectable()
export class NewBankStatements {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly reader: BankStatementReader,
    private readonly mappings: BankFileMappings,
    private readonly events: EventLog,
  ) {}

  /**
   * Whether the file was imported before; else the mappings that it may be read by.
   * @param guard a key that was answered before is seen here; what is answered now is kept at the end
   */
  async known(
    { accountId }: ByImporter,
    { file, sha256, said }: Omit<NewFile, 'kept'>,
    guard: CommitGuard<never> | undefined,
  ): Promise<{ id: Uuid | null; kept: readonly KeptHints[] }> {
    return this.uow.run(async (tx) => {
      const known = await this.repository.findByFile(tx, accountId, sha256);
      // Of another type, it is refused by the reader, in words.
      if (known?.format.startsWith(file.format)) return { id: knownAs(known, said), kept: [] };
      const kept = file.format === 'csv' ? await this.mappings.of(tx, accountId) : [];
      return { id: null, kept };
    }, lookUpOf(guard));
  }

  /** @returns its id, or that of the same file, if that came meanwhile */
  async store(by: ByImporter, { file, sha256, said, kept }: NewFile): Promise<Uuid> {
    const { accountId, clientId } = by;
    const read = await this.reader.read(accountId, { ...file, kept });
    const mapping = kept.find(({ id }) => id === read.mappingId);
    const hints = mapping ? saidOver(said, mapping.hints) : said;
    return this.uow.run(async (tx) => {
      const known = await this.repository.findByFile(tx, accountId, sha256);
      if (known) return knownAs(known, said);
      const statement = { accountId, sha256, hints, clientId, at: tx.now() };
      const id = await this.repository.insert(tx, statement, read);
      this.events.tell(
        tx,
        by,
        'bank_statement.imported',
        bankStatementStep(await this.repository.told(tx, accountId, id)),
      );
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
