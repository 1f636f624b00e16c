import { Injectable } from '@nestjs/common';
import { Accounts } from '../../../auth/index.js';
import { dateIn } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { type Gateway, type ProviderPayout, ProviderPayouts } from '../../../payments/index.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  isAllOf,
  mayBeOfOne,
  oddityOf,
  refusalIn,
  statedFrom,
  UNBOOKED,
} from '../../domain/payouts/reported-payout.js';
import type { PayoutStatus } from '../../domain/payouts/payout.js';
import { PayoutRepository } from '../../infrastructure/payout.repository.js';
import { Payouts } from './payouts.service.js';

/** Finds out whose a reported payout is, and records it as a person would record it. */
@Injectable()
export class ReportedPayoutBooking {
  constructor(
    private readonly reports: ProviderPayouts,
    private readonly uow: UnitOfWork,
    private readonly payouts: Payouts,
    private readonly repository: PayoutRepository,
    private readonly accounts: Accounts,
  ) {}

  /** @returns why a person has to look; null: it is in the books */
  async book(gateway: Gateway, told: ProviderPayout): Promise<string | null> {
    const why = await this.tryToBook(gateway, told);
    return why === null ? null : `Payout ${told.payoutId} of ${told.amount} is not booked. ${why}`;
  }

  private async tryToBook(gateway: Gateway, told: ProviderPayout): Promise<string | null> {
    const odd = oddityOf(told);
    if (odd !== null) return odd;
    const { accountId, statuses } = await this.payeeOf(gateway, told);
    if (accountId === 'waits') return UNBOOKED.waits;
    if (accountId === undefined) return UNBOOKED.accounts;
    const isThere = statuses.some((status) => status !== 'reversed');
    if (!isThere && statuses.length > 0) return UNBOOKED.reversed;
    // A provider of the installation may leave them out.
    if (!isThere && !told.lines) return UNBOOKED.lines;
    try {
      return await this.record(accountId, gateway, told);
    } catch (error) {
      return refusalIn(error);
    }
  }

  /** With how all stand that are recorded of it. One that has to wait is kept, and looked at once more. */
  private async payeeOf(
    gateway: Gateway,
    told: ProviderPayout,
  ): Promise<{ accountId: Uuid | 'waits' | undefined; statuses: PayoutStatus[] }> {
    const key = { gateway: gateway.name, providerPayoutId: told.payoutId };
    const look = async (tx: Tx) => {
      const accountId = await this.accountOf(tx, gateway, told);
      const isSure = accountId !== undefined && accountId !== 'waits';
      const statuses = isSure ? await this.repository.statusesOf(tx, accountId, key) : [];
      return { accountId, statuses };
    };
    const found = await this.uow.run(look);
    if (found.accountId !== 'waits') return found;
    await this.reports.keep(gateway, told);
    return this.uow.run(look);
  }

  /** The one account that all of it is of; undefined where that is not sure, and never will be. */
  private async accountOf(
    tx: Tx,
    { name, accounts }: Gateway,
    told: ProviderPayout,
  ): Promise<Uuid | 'waits' | undefined> {
    const given = accounts instanceof Set ? [...accounts] : null;
    const [only, ...others] = await this.repository.accountsFor(tx, given, null);
    if (others.length === 0) return only;
    const providerIds = (told.lines ?? []).flatMap(({ providerId }) => providerId ?? []);
    const of = { gateway: name, providerIds };
    const [payee, ...more] = await this.repository.accountsFor(tx, given, of);
    if (more.length > 0) return undefined;
    const known = payee ? await this.repository.known(tx, payee, name, providerIds) : [];
    if (payee && isAllOf(told, known)) return payee;
    return mayBeOfOne(told) ? 'waits' : undefined;
  }

  /** As it was sent, and then that it came back: so each order of reports ends the same. */
  private async record(
    accountId: Uuid,
    gateway: Gateway,
    told: ProviderPayout,
  ): Promise<string | null> {
    const by = { accountId, clientId: null };
    const account = await this.accounts.find(accountId);
    const stated = statedFrom(gateway.name, told, this.accounts.todayOf(account));
    const { payout } = await this.payouts.recordOnce(by, stated);
    const toldOn = dateIn(account.timeZone, told.at);
    if (told.status === 'failed') {
      await this.payouts.failOnce(by, payout.id, toldOn, told.reason);
      return null;
    }
    return payout.failedOn !== null && toldOn > payout.failedOn ? UNBOOKED.again : null;
  }
}
