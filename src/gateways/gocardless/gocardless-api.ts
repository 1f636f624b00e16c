import { z } from 'zod';
import type { ZodType } from 'zod';
import { DomainError } from '../../kernel/domain-error.js';
import { IsoTime } from '../page-end.js';
import { accepted, idAt, type ProviderAnswer, ProviderApi, unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { Ascii } from '../signed-body.js';
import {
  GoCardlessEvent,
  GoCardlessPayoutItem,
  GoCardlessRequest,
  GoCardlessRequestId,
} from './gocardless-objects.js';

const VERSION = '2015-07-06';
const PAGE_SIZE = 500;
const PAGES_LIMIT = 20;
/** Our request timed out there, or the one before it still runs: that is no answer to it. */
const NO_ANSWER: ReadonlySet<number> = new Set([408, 409, 425]);

const Created = z.object({ billing_requests: z.object({ id: GoCardlessRequestId }) });
const FlowId = z.string().regex(/^BRF[0-9A-Za-z]{1,61}$/);
const Flow = z.object({
  billing_request_flows: z.object({ authorisation_url: z.url(), expires_at: IsoTime }),
});
const Meta = z.object({ cursors: z.object({ after: Ascii.nullish() }) });
const EventPage = z.object({ events: z.array(z.unknown()), meta: Meta });
const ItemPage = z.object({ payout_items: z.array(GoCardlessPayoutItem), meta: Meta });
/** developer.gocardless.com/api-reference, "Errors": `reason` is the stable word. */
const Problem = z.object({
  error: z.object({
    errors: z.array(
      z.object({
        reason: z.string().optional().catch(undefined),
        links: z.object({ conflicting_resource_id: z.unknown() }).optional().catch(undefined),
      }),
    ),
  }),
});

/** Calls of GoCardless's API. Each object that is made has our own id as its Idempotency-Key. */
export class GoCardlessApi extends ProviderApi {
  constructor(
    { apiBase, accessToken }: { apiBase: string; accessToken: string },
    fetch: typeof globalThis.fetch,
  ) {
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${accessToken}`,
      'GoCardless-Version': VERSION,
    };
    super('GoCardless', { apiBase, headers }, fetch);
  }

  /**
   * The same one again for the same link or mandate: GoCardless names the one that the key has made.
   * @param ownId is in its metadata, too
   */
  async createBillingRequest(request: object, ownId: string): Promise<string> {
    const answer = await this.post('/billing_requests', { billing_requests: request }, ownId);
    const existing = conflictingId(answer, GoCardlessRequestId);
    if (existing === undefined) {
      return accepted(clearAnswer(answer), Created, 'GoCardless').billing_requests.id;
    }
    const found = await refusedIsUnavailable(this.findBillingRequest(existing), 'GoCardless');
    const { payment_link_id: linkId, mandate_id: mandateId } = found?.metadata ?? {};
    if (linkId !== ownId && mandateId !== ownId) throw unavailable('GoCardless');
    return existing;
  }

  /** The address of the page, and its end. */
  async createFlow(
    flow: object,
    ownId: string,
  ): Promise<{ url: string; pageExpiresAt: Date | null }> {
    const body = { billing_request_flows: flow };
    const first = await this.post('/billing_request_flows', body, `${ownId}-flow`);
    const existing = conflictingId(first, FlowId);
    // A flow cannot be read: to initialise it again is the one call that shows it.
    const answer =
      existing === undefined
        ? first
        : await this.post(`/billing_request_flows/${existing}/actions/initialise`, { data: {} });
    const { billing_request_flows: made } = accepted(clearAnswer(answer), Flow, 'GoCardless');
    return { url: made.authorisation_url, pageExpiresAt: made.expires_at };
  }

  /** Undefined when GoCardless knows no such request. */
  async findBillingRequest(id: string): Promise<GoCardlessRequest | undefined> {
    return this.find('billing_requests', id, GoCardlessRequest);
  }

  /** @returns false when it is refused, as for one that is paid or cancelled already */
  async cancelBillingRequest(id: string): Promise<boolean> {
    return this.act('billing_requests', id, 'cancel');
  }

  /** @returns false when it is refused, as what is done already */
  async act(collection: string, id: string, action: 'cancel'): Promise<boolean> {
    const path = `/${collection}/${idAt('GoCardless', id)}/actions/${action}`;
    return (await this.post(path, { data: {} }, `${id}-${action}`)).status < 400;
  }

  /** An object of a collection. Undefined when GoCardless knows none of this id. */
  async find<T extends { id: string }>(
    collection: string,
    id: string,
    schema: ZodType<T>,
  ): Promise<T | undefined> {
    const answer = await this.get(`/${collection}/${idAt('GoCardless', id)}`);
    if (answer.status === 404 || answer.status === 410) return undefined;
    const whole = accepted(answer, z.record(z.string(), z.unknown()), 'GoCardless');
    const { data: found } = schema.safeParse(whole[collection]);
    if (found?.id !== id) throw unavailable('GoCardless');
    return found;
  }

  /** The accounts of the token: the smallest list that every token may read. */
  async creditors(): Promise<ProviderAnswer> {
    return this.get('/creditors?limit=1');
  }

  /** All that happened to an object, oldest first. */
  async eventsOf(kind: 'payment' | 'billing_request', id: string): Promise<GoCardlessEvent[]> {
    const events: GoCardlessEvent[] = [];
    for await (const page of this.eventPages({ [kind]: id })) events.push(...page);
    return events.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  }

  /** The payments that were confirmed from one instant to before another, page by page. */
  confirmedBetween(from: Date, to: Date): AsyncGenerator<GoCardlessEvent[]> {
    return this.eventPages({
      resource_type: 'payments',
      action: 'confirmed',
      'created_at[gte]': from.toISOString(),
      'created_at[lt]': to.toISOString(),
    });
  }

  /** All that a payout is made of; null of one that is too old to be told so. */
  async itemsOf(payoutId: string): Promise<GoCardlessPayoutItem[] | null> {
    const items: GoCardlessPayoutItem[] = [];
    try {
      for await (const page of this.pages('/payout_items', { payout: payoutId }, ItemPage)) {
        items.push(...page.payout_items);
      }
    } catch (error) {
      if (error instanceof DomainError && error.context['provider_status'] === 410) return null;
      throw error;
    }
    return items;
  }

  /** A list to its end, or not at all. */
  async *pages<T extends { meta: z.infer<typeof Meta> }>(
    path: string,
    query: Record<string, string>,
    schema: ZodType<T>,
  ): AsyncGenerator<T> {
    const asked = new URLSearchParams({ ...query, limit: String(PAGE_SIZE) });
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const answer = await this.get(`${path}?${asked.toString()}`);
      const listed = accepted(answer, schema, 'GoCardless');
      yield listed;
      const { after } = listed.meta.cursors;
      if (!after) return;
      asked.set('after', after);
    }
    throw unavailable('GoCardless');
  }

  /** Events that cannot be read are of kinds that nobody asks for here. */
  private async *eventPages(query: Record<string, string>): AsyncGenerator<GoCardlessEvent[]> {
    for await (const { events } of this.pages('/events', query, EventPage)) {
      yield events.flatMap((event) => GoCardlessEvent.safeParse(event).data ?? []);
    }
  }

  protected override async get(path: string): Promise<ProviderAnswer> {
    return clearAnswer(await super.get(path));
  }
}

/** The id of the object that the same Idempotency-Key has made before. */
export function conflictingId(answer: ProviderAnswer, Id: ZodType<string>): string | undefined {
  if (answer.status !== 409) return undefined;
  const conflict = Problem.safeParse(answer.json).data?.error.errors.find(
    ({ reason }) => reason === 'idempotent_creation_conflict',
  );
  return Id.safeParse(conflict?.links?.conflicting_resource_id).data;
}

/**
 * An answer with its reason as other providers write it.
 * @throws DomainError `unavailable` when it is no answer to our request
 */
export function clearAnswer(answer: ProviderAnswer): ProviderAnswer {
  const { status, json } = answer;
  if (NO_ANSWER.has(status)) throw unavailable('GoCardless');
  if (status < 400) return answer;
  const code = Problem.safeParse(json).data?.error.errors[0]?.reason;
  return { ...answer, json: { error: { code } } };
}
