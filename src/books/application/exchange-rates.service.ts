import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { TaxCurrencies } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type ExchangeRate, isSamePair, type RecordedRate } from '../domain/exchange-rate.js';
import { ExchangeRatesRepository } from '../infrastructure/exchange-rates.repository.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** The table of exchange rates of an account. A change of it changes nothing that is booked. */
@Injectable()
export class ExchangeRates implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly rates: ExchangeRatesRepository,
    private readonly accounts: Accounts,
    private readonly taxCurrencies: TaxCurrencies,
  ) {}

  onModuleInit(): void {
    this.taxCurrencies.askFor(async (tx, accountId, { from, to }, day) => {
      const found = await this.rates.findBetween(tx, accountId, from, to, day);
      return found && found.rate.toString();
    });
  }

  /**
   * One that says nothing new writes nothing; another one is the next revision of its day.
   * @returns how all of them stand now, in the order in which they came
   */
  async put(
    accountId: Uuid,
    clientId: Uuid,
    told: readonly ExchangeRate[],
    guard?: CommitGuard<RecordedRate[]>,
  ): Promise<RecordedRate[]> {
    const today = await this.accounts.today(accountId);
    told.forEach((rate, index) => {
      if (rate.base === rate.quote) throw sameCurrency(`/rates/${index}/quote`);
      if (rate.day > today) throw ofTheFuture(`/rates/${index}/day`, today);
      if (told.findIndex((one) => isSameDay(one, rate)) < index) {
        throw saidTwice(`/rates/${index}`, rate);
      }
    });
    return this.uow.run(async (tx) => {
      // One after the other: each revision follows from the one before.
      await this.accounts.getForUpdate(tx, accountId);
      const standing = await this.rates.ofSameDays(tx, accountId, told);
      const recordedAt = tx.now();
      const now = told.map((rate) => {
        const before = standing.find((one) => isSameDay(one, rate));
        if (before && saysTheSame(before, rate)) return before;
        return { ...rate, revision: (before?.revision ?? 0) + 1, isCurrent: true, recordedAt };
      });
      const changed = now.filter((rate) => !standing.includes(rate));
      this.rates.insert(tx, accountId, clientId, changed);
      return now;
    }, guard);
  }
}

function isSameDay(one: ExchangeRate, other: ExchangeRate): boolean {
  return one.day === other.day && isSamePair(one, other);
}

function saysTheSame(one: ExchangeRate, other: ExchangeRate): boolean {
  return one.source === other.source && one.rate.compare(other.rate) === 0;
}

function sameCurrency(pointer: string): DomainError {
  const detail = 'A rate is between two currencies; name another one in quote than in base.';
  return FieldRefusal.same_currency.at(pointer, detail);
}

function ofTheFuture(pointer: string, today: string): DomainError {
  return FieldRefusal.date_in_future.at(pointer, `day must be ${today} at the latest.`);
}

function saidTwice(pointer: string, { base, quote, day }: ExchangeRate): DomainError {
  const detail = `${base}/${quote} of ${day} stands twice; send each rate once.`;
  return FieldRefusal.said_twice.at(pointer, detail);
}
