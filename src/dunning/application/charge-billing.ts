import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import {
  AddedLines,
  type AddedLinesOf,
  type CreateDocumentRequest,
  Customers,
  Documents,
  Locale,
  toNewDocument,
} from '../../documents/index.js';
import { EventLog } from '../../events/index.js';
import { byTime, OPERATOR } from '../../kernel/actor.js';
import { addDays, dateIn } from '../../kernel/clock.js';
import { DomainError, isPassing } from '../../kernel/domain-error.js';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Charge, Reminder } from '../domain/reminder.js';
import type { BillableReminder } from '../infrastructure/due-dunning.query.js';
import { ReminderRepository } from '../infrastructure/reminder.repository.js';
import { reminderStep } from '../wire/reminder-events.js';
import { chargeName } from './charge-name.js';

type Line = CreateDocumentRequest['lines'][number];

/** Puts what letters asked for beside the debts onto invoices: each charge once. */
@Injectable()
export class ChargeBilling {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly customers: Customers,
    private readonly documents: Documents,
    private readonly repository: ReminderRepository,
    private readonly events: EventLog,
    added: AddedLines,
  ) {
    added.from((tx, account, request, replaced) =>
      request.customerId
        ? this.forNext(tx, account, request.customerId, request, replaced)
        : Promise.resolve(null),
    );
  }

  /** An invoice of its own for what a letter asked for. @returns whether there is one now */
  async bill({ accountId, id }: BillableReminder): Promise<boolean> {
    const account = await this.accounts.find(accountId);
    try {
      return await this.uow.run(async (tx) => this.billAlone(tx, account, id));
    } catch (error) {
      if (!(error instanceof DomainError) || isPassing(error)) throw error;
      await this.uow.run((tx) => this.fail(tx, account, id, error.code));
      return false;
    }
  }

  private async billAlone(tx: Tx, account: AccountRow, id: Uuid): Promise<boolean> {
    const { accountId } = account;
    const reminder = await this.repository.getForUpdate(tx, accountId, id);
    const open = openIn(reminder, null);
    if (open.length === 0) {
      this.repository.billLater(tx, reminder, null, null);
      return false;
    }
    const { profile } = await this.customers.find(accountId, reminder.customerId, tx);
    const locale = Locale.of(profile.language ?? account.language);
    const today = dateIn(account.timeZone, tx.now());
    const by = byTime(accountId);
    const request = toNewDocument({
      kind: 'invoice',
      customer_id: publicId('cus', reminder.customerId),
      currency: reminder.currency,
      issue: true,
      due_date: reminder.payBy > today ? reminder.payBy : today,
      lines: open.map((charge) => lineOf(charge, reminder, locale, OUT_OF_SCOPE)),
    });
    const view = await this.documents.makeWithin(tx, by, account, request);
    const documentId = uuidOf('doc', view.id) ?? '';
    this.repository.bill(tx, accountId, open.map(idOf), documentId);
    this.repository.billLater(tx, reminder, null, null);
    this.told(tx, reminder, documentId);
    return true;
  }

  /** Tried again tomorrow. Told once for each reason. */
  private async fail(tx: Tx, account: AccountRow, id: Uuid, problem: string): Promise<void> {
    const { accountId, timeZone } = account;
    const reminder = await this.repository.getForUpdate(tx, accountId, id);
    const tomorrow = addDays(dateIn(timeZone, tx.now()), 1);
    this.repository.billLater(tx, reminder, tomorrow, problem);
    if (reminder.problem === problem) return;
    const data = { ...reminderStep(reminder), problem_code: problem };
    this.events.tell(tx, { accountId, actor: OPERATOR }, 'reminder.charges_failed', data);
  }

  /** Lines that wait for the next invoice of a customer. */
  private async forNext(
    tx: Tx,
    account: AccountRow,
    customerId: Uuid,
    { currency, language }: { currency?: string; language?: string | null },
    replaced: Uuid | null,
  ): Promise<AddedLinesOf | null> {
    const { accountId } = account;
    const waiting = await this.repository.waitingFor(tx, accountId, customerId, replaced);
    if (waiting.length === 0) return null;
    const customer = await this.customers.find(accountId, customerId, tx);
    const billedIn = currency ?? customer.currency ?? account.currency;
    const locale = Locale.of(language ?? customer.profile.language ?? account.language);
    const billed = waiting.flatMap((reminder) =>
      reminder.currency === billedIn
        ? openIn(reminder, replaced).map((charge) => ({ charge, reminder }))
        : [],
    );
    if (billed.length === 0) return null;
    const lines = billed.map(({ charge, reminder }) =>
      lineOf(charge, reminder, locale, exemptIn(locale)),
    );
    const { lines: added } = toNewDocument({
      customer_id: publicId('cus', customerId),
      lines,
    });
    return {
      lines: added,
      taken: (documentId) => {
        this.repository.bill(
          tx,
          accountId,
          billed.map(({ charge }) => charge.id),
          documentId,
        );
        for (const reminder of new Set(billed.map((one) => one.reminder))) {
          this.told(tx, reminder, documentId);
        }
      },
    };
  }

  private told(tx: Tx, reminder: Reminder, documentId: Uuid): void {
    const by = { accountId: reminder.accountId, actor: OPERATOR };
    const data = { ...reminderStep(reminder), document_id: publicId('doc', documentId) };
    this.events.tell(tx, by, 'reminder.charges_billed', data);
  }
}

const idOf = ({ id }: Charge) => id;

/** Those that no other document bills. */
const openIn = ({ charges }: Reminder, replaced: Uuid | null) =>
  charges.filter(
    ({ status, billedBy }) => status === 'claimed' || (billedBy !== null && billedBy === replaced),
  );

/** Damages for late payment are no turnover, so no tax is owed on them. */
const OUT_OF_SCOPE = { tax_category: 'O', tax_rate: '0' } as const;

/** Beside taxed lines, which EN 16931 does not let stand beside category O (BR-O-11 to 14). */
const exemptIn = ({ texts }: Locale) => ({
  tax_category: 'E' as const,
  tax_rate: '0',
  tax_exemption_reason: texts.dunning.notTaxed,
});

function lineOf(
  charge: Charge,
  reminder: Reminder,
  locale: Locale,
  tax: Pick<Line, 'tax_category' | 'tax_rate' | 'tax_exemption_reason'>,
): Line {
  return {
    description: `${chargeName(charge, reminder, locale.texts)}, ${locale.date(reminder.madeOn)}`,
    unit_amount: minorNumber(charge.amount),
    ...tax,
  };
}
