import { Injectable } from '@nestjs/common';
import { Accounts, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { assertBookedBy, type BankEntry, reopened } from '../domain/bank-entry.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { judgedAs, type JudgedBankEntry } from './bank-entry-judging.service.js';

interface Asked {
  /** @throws DomainError for an entry that cannot become it */
  may: (entry: BankEntry) => void;
  guard: CommitGuard<JudgedBankEntry> | undefined;
}

type Step = (tx: Tx, entry: BankEntry) => Promise<BankEntry>;

/** Somebody says what an entry is: it is locked, becomes that, and the audit log tells of it. */
@Injectable()
export class BankEntryChanges {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: BankStatementRepository,
    private readonly accounts: Accounts,
  ) {}

  /** It stands in the books then, on its day, which is not to come. */
  async book(by: By, id: Uuid, { may, guard }: Asked, step: Step): Promise<JudgedBankEntry> {
    const today = await this.accounts.today(by.accountId);
    const mayToday = (entry: BankEntry) => {
      may(entry);
      assertBookedBy(entry, today);
    };
    return this.change(by, id, { may: mayToday, guard }, step);
  }

  async change(by: By, id: Uuid, { may, guard }: Asked, step: Step): Promise<JudgedBankEntry> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const before = await this.repository.getForUpdate(tx, by.accountId, id);
      may(before);
      const after = await step(tx, before);
      if (after !== before) {
        const subject = publicId('bentry', id);
        record({ action: actionOf(after), subject, before: said(before), after: said(after) });
      }
      return judgedAs(after);
    });
  }
}

function actionOf(after: BankEntry) {
  if (after.status === 'ignored') return 'bank_entry.ignored' as const;
  return after.status === reopened(after) ? 'bank_entry.unbooked' : 'bank_entry.booked';
}

const said = ({ status, paymentId, payoutId, ledgerAccount }: BankEntry) => ({
  status,
  ...(payoutId ? { payout_id: publicId('pout', payoutId) } : {}),
  ...(paymentId ? { payment_id: publicId('pay', paymentId) } : {}),
  ...(ledgerAccount ? { ledger_account: ledgerAccount } : {}),
});
