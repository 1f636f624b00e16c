import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  archived,
  assertNotErased,
  changedCustomer,
  type Customer,
  type CustomerChange,
  fieldsOf,
  type NewCustomer,
  unarchived,
} from '../domain/parties/customer.js';
import { changesBetween } from '../domain/changes.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { assertFree, notThere } from './external-ids.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { customerStep, customerUpdate } from '../wire/customer-events.js';

type Guard = CommitGuard<Customer>;
type CustomerAction = `customer.${'created' | 'updated' | 'archived' | 'unarchived' | 'deleted'}`;

export interface PutCustomer {
  customer: Customer;
  isNew: boolean;
}

/** Create, change, archive and delete customers: load, decide, write once. */
@Injectable()
export class Customers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: CustomerRepository,
    private readonly audit: AuditLog,
    private readonly events: EventLog,
  ) {}

  async create(by: By, wish: NewCustomer, guard?: Guard): Promise<Customer> {
    return this.uow.run(async (tx) => {
      await assertFree('customer', this.repository, tx, by.accountId, wish.externalId);
      const now = tx.now();
      const customer = this.repository.insert(tx, by.accountId, { ...wish, id: tx.newId() }, now);
      this.record(tx, by, 'customer.created', customer);
      return customer;
    }, guard);
  }

  /** @param tx until whose end it can be neither deleted nor erased */
  async find(accountId: Uuid, id: Uuid, tx: Tx | null = null): Promise<Customer> {
    const customer = await (tx
      ? this.repository.find(tx, accountId, id)
      : this.repository.view(accountId, id));
    if (!customer) throw DocumentRefusal.customer_not_found.of();
    return customer;
  }

  async findByExternalId(accountId: Uuid, externalId: string): Promise<Customer> {
    const customer = await this.repository.viewByExternalId(accountId, externalId);
    if (!customer) throw DocumentRefusal.customer_not_found.of();
    return customer;
  }

  /**
   * Makes the customer, or gives it these fields; nothing is written where they are what it has. Of
   * two that make it at once, one fails on its key and looks again. @throws `version_mismatch`
   */
  async put(
    by: By,
    wish: NewCustomer & { externalId: string },
    expected: ExpectedVersions,
    guard?: CommitGuard<PutCustomer>,
  ): Promise<PutCustomer> {
    return this.uow.run(async (tx) => {
      const now = tx.now();
      const customer = await this.repository.findByExternalIdForUpdate(
        tx,
        by.accountId,
        wish.externalId,
      );
      if (!customer) {
        if (expected) throw notThere('customer');
        const made = this.repository.insert(tx, by.accountId, { ...wish, id: tx.newId() }, now);
        this.record(tx, by, 'customer.created', made);
        return { customer: made, isNew: true };
      }
      assertVersion(expected, customer.version);
      const next = changedCustomer(customer, wish, now);
      if (changesBetween(fieldsOf(customer), fieldsOf(next)).length === 0) {
        return { customer, isNew: false };
      }
      this.repository.update(tx, by.accountId, next);
      this.record(tx, by, 'customer.updated', next, customer);
      return { customer: next, isNew: false };
    }, guard);
  }

  /** Nor will it be before the transaction ends. @throws DomainError `customer_erased` */
  async assertNotErased(tx: Tx, accountId: Uuid, id: Uuid): Promise<void> {
    assertNotErased(await this.repository.find(tx, accountId, id));
  }

  async exists(accountId: Uuid, id: Uuid): Promise<boolean> {
    return (await this.repository.view(accountId, id)) !== undefined;
  }

  async change(
    by: By,
    id: Uuid,
    change: CustomerChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<Customer> {
    return this.update(
      by,
      'customer.updated',
      id,
      expected,
      async (tx, customer) => {
        const next = changedCustomer(customer, change, tx.now());
        if (next.externalId !== customer.externalId) {
          await assertFree('customer', this.repository, tx, by.accountId, next.externalId);
        }
        return next;
      },
      guard,
    );
  }

  async archive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<Customer> {
    return this.update(by, 'customer.archived', id, expected, archive, guard);
  }

  async unarchive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<Customer> {
    return this.update(by, 'customer.unarchived', id, expected, unarchive, guard);
  }

  async delete(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: CommitGuard<void>,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const customer = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, customer.version);
      if (await this.repository.delete(tx, by.accountId, id)) {
        this.record(tx, by, 'customer.deleted', customer);
        return;
      }
      throw DocumentRefusal.customer_in_use.of(
        'This customer has documents or mandates; archive it instead, with POST .../archive.',
      );
    }, guard);
  }

  private async update(
    by: By,
    action: CustomerAction,
    id: Uuid,
    expected: ExpectedVersions,
    decide: Decide,
    guard?: Guard,
  ): Promise<Customer> {
    return this.uow.run(async (tx) => {
      const customer = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, customer.version);
      assertNotErased(customer);
      const next = await decide(tx, customer);
      if (next === customer) return customer;
      this.repository.update(tx, by.accountId, next);
      this.record(tx, by, action, next, customer);
      return next;
    }, guard);
  }

  /**
   * The entry names a customer who comes or goes by id only: the audit log must not keep a name
   * that somebody had to delete.
   */
  private record(
    tx: Tx,
    by: By,
    action: CustomerAction,
    customer: Customer,
    before?: Customer,
  ): void {
    this.audit.record(tx, by, {
      action,
      subject: publicId('cus', customer.id),
      before: before ? fieldsOf(before) : null,
      after: before ? fieldsOf(customer) : null,
    });
    if (action === 'customer.updated' && before) {
      this.events.tell(tx, by, action, customerUpdate(before, customer));
    } else {
      this.events.tell(tx, by, action, customerStep(customer));
    }
  }
}

type Decide = (tx: Tx, customer: Customer) => Customer | Promise<Customer>;

const archive: Decide = (tx, customer) => archived(customer, tx.now());
const unarchive: Decide = (tx, customer) => unarchived(customer, tx.now());
