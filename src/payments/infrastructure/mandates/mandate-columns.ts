import type { Uuid } from '../../../kernel/ids.js';
import type { Mandate } from '../../domain/mandates/mandate.js';
import type { MandateStatus } from '../../domain/mandates/mandate-status.js';

/** @table mandates */
export interface MandateColumns {
  account_id: Uuid;
  mandate_id: Uuid;
  customer_id: Uuid;
  gateway: string;
  currency: string;
  status: MandateStatus;
  url: string | null;
  provider_request_id: string | null;
  provider_mandate_id: string | null;
  scheme: string | null;
  reference: string | null;
  account_ending: string | null;
  automatic_since: Date | null;
  failure: string | null;
  version: number;
  created_at: Date;
  asked_at: Date | null;
  activated_at: Date | null;
  ended_at: Date | null;
  next_look_at: Date | null;
}

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
