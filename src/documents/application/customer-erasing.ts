import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { type Customer, erased } from '../domain/parties/customer.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { ErasedCustomersRepository } from '../infrastructure/erased-customers.repository.js';
import { customerStep } from '../wire/customer-events.js';

/** The part of documents in the erasure of a person, within its transaction. */
@Injectable()
export class CustomerErasing {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly traces: ErasedCustomersRepository,
    private readonly audit: AuditLog,
    private readonly events: EventLog,
  ) {}

  /** No document, mandate or schedule begins for it until the transaction ends. */
  async lock(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer> {
    return this.customers.getForErasure(tx, accountId, id);
  }

  /** Entry and event name it by id only: both are kept. */
  erase(tx: Tx, by: By, customer: Customer, now: Date): void {
    const { accountId } = by;
    const left = erased(customer, now);
    this.customers.update(tx, accountId, left);
    this.traces.erase(tx, accountId, customer.id, now);
    const subject = publicId('cus', customer.id);
    this.audit.record(tx, by, { action: 'customer.erased', subject, before: null, after: null });
    this.events.tell(tx, by, 'customer.erased', customerStep(left));
  }
}
