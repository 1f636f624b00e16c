import { Injectable } from '@nestjs/common';
import { Customers } from '../../../../documents/index.js';
import { publicId, type Uuid } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { DirectDebits, MandatePage } from '../../../port/domain/mandates/direct-debits.js';
import { assertReturnUrl } from '../../../port/domain/checkout.js';
import { Gateways } from '../../../port/domain/gateways.js';
import { debitsOf, type Mandate } from '../../domain/mandates/mandate.js';
import type { MandateReport } from '../../../port/domain/provider-report.js';
import { payableAccount } from '../../../port/infrastructure/gateway-accounts.query.js';

/** Asks providers about mandates, outside any transaction. */
@Injectable()
export class MandateCalls {
  constructor(
    private readonly gateways: Gateways,
    private readonly customers: Customers,
  ) {}

  /**
   * The gateway of an account that keeps a mandate.
   * @throws DomainError `gateway_keeps_no_mandates`, and as `Gateways.getToCollect`
   */
  async keeperFor(
    tx: Tx,
    accountId: Uuid,
    { gateway: nameOrId, returnUrl }: { gateway: string; returnUrl: string | null },
  ): Promise<string> {
    const account = await payableAccount(tx, accountId);
    assertReturnUrl(returnUrl, account);
    const gateway = await this.gateways.getToCollect(nameOrId, account);
    debitsOf(gateway);
    return gateway.name;
  }

  async setUp(mandate: Mandate, returnUrl: string | null): Promise<MandatePage> {
    const debits = await this.debitsOf(mandate);
    const { profile } = await this.customers.find(mandate.accountId, mandate.customerId);
    return debits.setUp({
      mandateId: publicId('mand', mandate.id),
      currency: mandate.currency,
      returnUrl,
      payer: { name: profile.name, email: profile.email, country: profile.country },
      language: null,
    });
  }

  async lookUp(mandate: Mandate): Promise<MandateReport | undefined> {
    const debits = await this.debitsOf(mandate);
    return debits.lookUp(placed(mandate));
  }

  async cancel(mandate: Mandate): Promise<void> {
    const debits = await this.debitsOf(mandate);
    await debits.cancel(placed(mandate));
  }

  /** Of a disabled gateway, too: customers may end their mandates. */
  private async debitsOf({ gateway }: Mandate): Promise<DirectDebits> {
    return debitsOf(await this.gateways.find(gateway));
  }
}

function placed({ id, providerRequestId, providerMandateId }: Mandate) {
  return { mandateId: publicId('mand', id), providerRequestId, providerMandateId };
}
