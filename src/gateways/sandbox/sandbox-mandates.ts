import type { Clock } from '../../kernel/clock.js';
import {
  type CollectionRequest,
  DirectDebits,
  type MandatePage,
  type MandateReport,
  type MandateRequest,
  type PlacedMandate,
} from '../../payments/index.js';

/** A mandate as the sandbox keeps it. */
export function sandboxMandateReport(
  reported: Pick<MandateReport, 'eventId' | 'eventType' | 'fingerprint'>,
  told: { mandateId: string } & Pick<MandateReport, 'status' | 'reason' | 'at'>,
): MandateReport {
  const { mandateId } = told;
  return {
    ...reported,
    ...told,
    kind: 'mandate',
    providerMandateId: `sandbox_${mandateId}`,
    scheme: 'sandbox',
    reference: `SANDBOX-${mandateId.slice(-6).toUpperCase()}`,
    accountEnding: '00',
  };
}

/**
 * Mandates of the sandbox are given at once: there is no bank, and it remembers nothing. A debit is
 * paid, or fails, when somebody plays its event.
 */
export class SandboxMandates extends DirectDebits {
  constructor(private readonly clock: Clock) {
    super();
  }

  async setUp({ mandateId }: MandateRequest): Promise<MandatePage> {
    return { url: null, providerRequestId: `sandbox_${mandateId}` };
  }

  /** Of one that was given already it knows nothing new. */
  async lookUp({
    mandateId,
    providerMandateId,
  }: PlacedMandate): Promise<MandateReport | undefined> {
    if (providerMandateId !== null) return undefined;
    const eventType = 'mandate.active';
    const reported = { eventId: `active ${mandateId}`, eventType, fingerprint: null };
    const at = this.clock.now();
    return sandboxMandateReport(reported, { mandateId, status: 'active', reason: null, at });
  }

  async cancel(_mandate: PlacedMandate): Promise<void> {}

  async collect({ linkId }: CollectionRequest): Promise<string> {
    return `sbx_${linkId}`;
  }

  async find(_request: CollectionRequest): Promise<string | undefined> {
    return undefined;
  }
}
