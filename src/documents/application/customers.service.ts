import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  archived,
  changed,
  type Customer,
  type CustomerChange,
  customerNotFound,
  type NewCustomer,
  unarchived,
} from '../domain/customer.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';

type Guard = CommitGuard<Customer>;

/** Create, change, archive and delete customers: load, decide, write once. */
@Injectable()
export class Customers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: CustomerRepository,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `external_id_taken` */
  async create(accountId: Uuid, wish: NewCustomer, guard?: Guard): Promise<Customer> {
    const id = this.ids.next();
    return this.uow.run(async (tx) => {
      await this.assertFree(tx, accountId, wish.externalId);
      return this.repository.insert(tx, accountId, { ...wish, id }, this.clock.now());
    }, guard);
  }

  /** @throws DomainError `customer_not_found` */
  async find(accountId: Uuid, id: Uuid): Promise<Customer> {
    const customer = await this.repository.view(accountId, id);
    if (!customer) throw customerNotFound();
    return customer;
  }

  async exists(accountId: Uuid, id: Uuid): Promise<boolean> {
    return (await this.repository.view(accountId, id)) !== undefined;
  }

  /** @throws DomainError `customer_not_found`, `version_mismatch`, `external_id_taken` */
  async change(
    accountId: Uuid,
    id: Uuid,
    change: CustomerChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<Customer> {
    return this.update(
      accountId,
      id,
      expected,
      async (tx, customer) => {
        const next = changed(customer, change, this.clock.now());
        if (next.externalId !== customer.externalId) {
          await this.assertFree(tx, accountId, next.externalId);
        }
        return next;
      },
      guard,
    );
  }

  /** @throws DomainError `customer_not_found`, `version_mismatch` */
  async archive(
    accountId: Uuid,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<Customer> {
    const decide = (_: Tx, customer: Customer) => archived(customer, this.clock.now());
    return this.update(accountId, id, expected, decide, guard);
  }

  /** @throws DomainError `customer_not_found`, `version_mismatch` */
  async unarchive(
    accountId: Uuid,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<Customer> {
    const decide = (_: Tx, customer: Customer) => unarchived(customer, this.clock.now());
    return this.update(accountId, id, expected, decide, guard);
  }

  /** @throws DomainError `customer_not_found`, `version_mismatch`, `customer_in_use` */
  async delete(
    accountId: Uuid,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: CommitGuard<void>,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const { version } = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, version);
      if (await this.repository.delete(tx, accountId, id)) return;
      throw DomainError.conflict(
        'customer_in_use',
        'This customer has documents; archive it instead, with POST .../archive.',
      );
    }, guard);
  }

  private async update(
    accountId: Uuid,
    id: Uuid,
    expected: ExpectedVersions,
    decide: (tx: Tx, customer: Customer) => Customer | Promise<Customer>,
    guard?: Guard,
  ): Promise<Customer> {
    return this.uow.run(async (tx) => {
      const customer = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, customer.version);
      const next = await decide(tx, customer);
      if (next !== customer) this.repository.update(tx, accountId, next);
      return next;
    }, guard);
  }

  private async assertFree(tx: Tx, accountId: Uuid, externalId: string | null): Promise<void> {
    if (externalId === null) return;
    const other = await this.repository.findByExternalId(tx, accountId, externalId);
    if (other === undefined) return;
    throw DomainError.conflict(
      'external_id_taken',
      `Another customer has the external_id ${externalId}; change that one, or send another id.`,
      { customer_id: publicId('cus', other) },
    );
  }
}
