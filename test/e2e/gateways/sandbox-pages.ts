import { SandboxDeliveries } from '../../../src/gateways/sandbox/sandbox-deliveries.js';
import type { SandboxOutcome } from '../../../src/gateways/sandbox/sandbox-outcomes.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';

export const SANDBOX_FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const SANDBOX_DELAY_SECONDS = 5;

export interface SandboxPlace {
  invoice: { id: string };
  link: { id: string };
  path: string;
}

/** The document is due again, or is not; how the link and the dispute stand. */
export const SANDBOX_ENDS: Record<SandboxOutcome, { due: number; link: string; dispute?: string }> =
  {
    paid: { due: 0, link: 'paid' },
    failed: { due: 11_900, link: 'failed' },
    paid_later: { due: 0, link: 'paid' },
    failed_later: { due: 11_900, link: 'failed' },
    bounced: { due: 11_900, link: 'failed' },
    dispute_won: { due: 0, link: 'paid', dispute: 'won' },
    dispute_lost: { due: 11_900, link: 'failed', dispute: 'lost' },
    refunded: { due: 11_900, link: 'paid' },
    paid_out: { due: 0, link: 'paid' },
  };

/** No job of its own: the tests say when it is a later time. */
export async function aSandboxService(settings: Record<string, string> = {}, wish: object = {}) {
  const gateways = testConfig(0).gateways.map((one) =>
    one.name === 'sandbox' ? { ...one, settings: { ...one.settings, ...settings } } : one,
  );
  return startTestService({ doesJobs: false, gateways, ...wish });
}

export async function aSandboxPlace(of: TestClient): Promise<SandboxPlace> {
  const invoice = await of.anInvoice();
  const link = await of.aPaymentLink(invoice, { gateway: 'sandbox' });
  const { pathname, search } = new URL(link.url ?? '');
  return { invoice, link, path: pathname + search };
}

export const sandboxPageOf = async (at: TestService, { path }: SandboxPlace) =>
  (await at.call(path)).text;
export const sandboxTokenOn = (page: string) => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';

export async function chooseAtSandbox(at: TestService, place: SandboxPlace, outcome: string) {
  const token = sandboxTokenOn(await sandboxPageOf(at, place));
  const body = new URLSearchParams({ token, outcome }).toString();
  return at.call(place.path, { method: 'POST', body, headers: SANDBOX_FORM });
}

export async function sandboxLater(at: TestService, seconds: number): Promise<void> {
  at.clock.advance({ seconds });
  await at.app.get(SandboxDeliveries).run();
}

export async function stateAfterSandbox(of: TestClient, { invoice, link }: SandboxPlace) {
  const { amount_due: due } = await of.read(invoice);
  const { body } = await of.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`);
  const disputes = await of.get<{ data: { status: string }[] }>(
    `/v1/finance/disputes?document_id=${invoice.id}`,
  );
  const [dispute] = disputes.body.data;
  return { due, link: body.status, ...(dispute && { dispute: dispute.status }) };
}
