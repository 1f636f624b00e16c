import type { Row } from '../../../../platform/database/row.js';
import type { Mandate } from '../../domain/mandates/mandate.js';
import type { MandateStatus } from '../../../port/domain/mandates/mandate-status.js';

export type MandateColumns = Row<'mandates', { status: MandateStatus }>;

export function toMandate(row: MandateColumns): Mandate {
  return {
    id: row.mandate_id,
    accountId: row.account_id,
    customerId: row.customer_id,
    gateway: row.gateway,
    currency: row.currency,
    status: row.status,
    url: row.url,
    providerRequestId: row.provider_request_id,
    providerMandateId: row.provider_mandate_id,
    scheme: row.scheme,
    reference: row.reference,
    accountEnding: row.account_ending,
    automaticSince: row.automatic_since,
    failure: row.failure,
    version: row.version,
    createdAt: row.created_at,
    askedAt: row.asked_at,
    activatedAt: row.activated_at,
    endedAt: row.ended_at,
    nextLookAt: row.next_look_at,
  };
}
