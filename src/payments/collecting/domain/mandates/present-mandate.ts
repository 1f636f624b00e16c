import { publicId } from '../../../../kernel/ids.js';
import type { Mandate } from './mandate.js';

/** The public form of a mandate: in answers and in events. */
export function presentMandate(mandate: Mandate) {
  return {
    id: publicId('mand', mandate.id),
    customer_id: publicId('cus', mandate.customerId),
    gateway: mandate.gateway,
    currency: mandate.currency,
    status: mandate.status,
    url: mandate.status === 'pending' ? mandate.url : null,
    scheme: mandate.scheme,
    reference: mandate.reference,
    account_ending: mandate.accountEnding,
    provider_mandate_id: mandate.providerMandateId,
    collects_automatically: mandate.automaticSince !== null,
    failure: mandate.failure,
    version: mandate.version,
    created_at: mandate.createdAt.toISOString(),
    activated_at: mandate.activatedAt?.toISOString() ?? null,
    ended_at: mandate.endedAt?.toISOString() ?? null,
  };
}
