import { randomUUID } from 'node:crypto';
import type { DomainError } from '../../src/kernel/domain-error.js';
import type { DirectDebits, PlacedMandate } from '../../src/payments/index.js';
import type { AcmeFault } from './acme-faults.js';

type AcmeCall = (
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<{ status: number; json: unknown }>;

interface MadeDebit {
  id: string;
  reference: string;
}

/** Debits of Acme by mandate, as plain as their rules. */
export function acmeDebits(
  call: AcmeCall,
  refusal: typeof DomainError,
  fault: AcmeFault | undefined,
): DirectDebits {
  const unknown = () => refusal.unavailable('gateway_unavailable', 'Acme does not answer.');
  const idIn = ({ status, json }: { status: number; json: unknown }): string => {
    const { id } = (json ?? {}) as { id?: unknown };
    if (status !== 201 || typeof id !== 'string') throw unknown();
    return id;
  };
  const debits: DirectDebits = {
    setUp: async ({ mandateId }) => {
      const key = fault === 'a mandate has no key of ours' ? randomUUID() : mandateId;
      const id = idIn(await call('POST', '/mandates', { reference: mandateId }, key));
      return { url: `https://pay.acme.example/mandates/${id}`, providerRequestId: id };
    },
    lookUp: async () => undefined,
    cancel: async ({ providerRequestId, providerMandateId }: PlacedMandate) => {
      const id = providerMandateId ?? providerRequestId;
      const { status } = await call('POST', `/mandates/${encodeURIComponent(id ?? '')}/end`, {});
      const hasEnded = status === 409 && fault !== 'what has ended cannot end';
      if (status !== 200 && !hasEnded) throw unknown();
    },
    collect: async ({ linkId, providerMandateId: mandate }) => {
      const key = fault === 'debits of a mandate share a key' ? mandate : linkId;
      const sent = fault === 'a debit has no key of ours' ? randomUUID() : key;
      const answer = await call('POST', '/debits', { mandate, reference: linkId }, sent);
      if (answer.status === 503 && fault === 'a lost debit is a no')
        throw refusal.conflict('gateway_refused', 'Acme refuses the debit.');
      return idIn(answer);
    },
    find: async ({ linkId, providerMandateId }) => {
      if (fault === 'any debit is this one') return 'db_1';
      const { status, json } = await call('GET', `/mandates/${providerMandateId}/debits`);
      if (status !== 200) throw unknown();
      const { debits } = json as { debits: MadeDebit[] };
      return debits.find(({ reference }) => reference === linkId)?.id;
    },
  };
  return fault === 'debits cannot be found' ? ({ ...debits, find: undefined } as never) : debits;
}
