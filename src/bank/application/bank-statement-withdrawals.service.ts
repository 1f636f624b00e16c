import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { bankStatementStep } from '../wire/bank-events.js';
import { BankPostings } from './bank-postings.service.js';
import { BankRefusal } from '../domain/refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

/**
 * Takes an import back: what was booked of its entries is undone by facts, one entry after the other,
 * and then they count no more. Entries that another file tells of, too, stay as they are. If it breaks
 * off, the same call goes on.
 */
@Injectable()
export class BankStatementWithdrawals {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly postings: BankPostings,
    private readonly audit: AuditLog,
    private readonly events: EventLog,
  ) {}

  /**
   * Nothing changes for one that was taken back before.
   * @throws DomainError `bank_statement_not_found`, `bank_statement_returned`, `document_busy`, and as
   *   `BankPostings.undo`
   */
  async withdraw(by: By, clientId: Uuid, id: Uuid, guard?: CommitGuard<object>): Promise<object> {
    const settled = await this.uow.run(async (tx) => this.settledOf(tx, by, id));
    for (const entry of settled ?? []) await this.undo(by, clientId, entry.id);
    return this.uow.run(async (tx) => {
      const left = await this.settledOf(tx, by, id);
      if (left === null) return {};
      if (left.length > 0) throw busy();
      const at = tx.now();
      await this.repository.withdraw(tx, by.accountId, id, at);
      const told = await this.repository.told(tx, by.accountId, id);
      const step = bankStatementStep({ ...told, withdrawnAt: at });
      this.events.tell(tx, by, 'bank_statement.withdrawn', step);
      this.audit.record(tx, by, {
        action: 'bank_statement.withdrawn',
        subject: publicId('bstmt', id),
        before: { withdrawn_at: null },
        after: { withdrawn_at: at.toISOString() },
      });
      return {};
    }, guard);
  }

  /**
   * Entries that have to be undone first; null if the file was taken back. It is locked: no other call
   * takes it back now.
   */
  private async settledOf(tx: Tx, { accountId }: By, id: Uuid) {
    const { isWithdrawn } = await this.repository.statementForUpdate(tx, accountId, id);
    if (isWithdrawn) return null;
    const entries = await this.repository.settledOf(tx, accountId, id);
    const returned = entries.find(({ status }) => status === 'returned');
    if (returned) throw tookBack(returned.id);
    return entries;
  }

  private async undo(by: By, clientId: Uuid, entryId: Uuid): Promise<void> {
    try {
      await this.postings.undo(by, clientId, entryId);
    } catch (error) {
      // Somebody else opened it meanwhile.
      if (!BankRefusal.bank_entry_not_booked.is(error)) throw error;
    }
  }
}

function tookBack(entryId: Uuid): DomainError {
  return BankRefusal.bank_statement_returned.with({
    bank_entry_id: publicId('bentry', entryId),
  });
}

/** Somebody booked one of them meanwhile. */
function busy(): DomainError {
  return CommonRefusal.document_busy.of(
    'Entries of this file are being booked; send the same request again in a second.',
    { retry_after: 1 },
  );
}
