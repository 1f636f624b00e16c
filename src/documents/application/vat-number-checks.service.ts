import { Injectable } from '@nestjs/common';
import { presentVatNumberCheck } from '../wire/customer.js';
import {
  type VatNumberCheck,
  euVatNumberOf,
  VatNumberRegister,
} from '../domain/legal/vat-number-register.js';
import { AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { sellerOf } from '../domain/parties/party.js';
import { Customers } from './customers.service.js';
import { SellerProfiles } from './seller-profiles.service.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** Asks whether customers' VAT numbers are registered. Nothing else ever asks. */
@Injectable()
export class VatNumberChecks {
  constructor(
    private readonly audited: AuditedWork,
    private readonly customers: Customers,
    private readonly sellers: SellerProfiles,
    private readonly register: VatNumberRegister,
  ) {}

  /** The answer stays in the audit log: an auditor asks for it years later. */
  async check(by: By, id: Uuid, guard?: CommitGuard<VatNumberCheck>): Promise<VatNumberCheck> {
    const [{ profile }, account] = await Promise.all([
      this.customers.find(by.accountId, id),
      this.sellers.find(by.accountId),
    ]);
    const asked = euVatNumberOf(profile.tax_id);
    if (!asked) throw notCheckable();
    const requester = euVatNumberOf(sellerOf(account.seller).tax_id);
    const told = await this.register.find(by.accountId, asked, requester);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const check = {
        ...told,
        vatNumber: asked.prefix + asked.number,
        requester: requester && requester.prefix + requester.number,
        checkedAt: tx.now(),
      };
      record({
        action: 'customer.vat_number_checked',
        subject: publicId('cus', id),
        before: null,
        after: presentVatNumberCheck(check),
      });
      return check;
    });
  }
}

function notCheckable(): DomainError {
  return DocumentRefusal.vat_number_not_checkable.of(
    'Only a right VAT number of an EU country or Northern Ireland can be asked for; set tax_id of this customer.',
  );
}
