import { randomBytes } from 'node:crypto';
import { uuidOf } from '../../src/kernel/ids.js';
import { balancesOf } from '../e2e/books/books.js';
import type { Spoken, Voice } from '../proof/voices/voice.js';
import type { TestClient } from '../support/client.js';
import type { TestService } from '../support/service.js';
import { type Amounts, type Fact, PAID, refundsOf, say, type Story } from './facts.js';
import { type Ending, endingOf, type HeardDispute } from './oracle.js';

const HOUR_MS = 3_600_000;
/** The balances of an account are summed anew for each order, so it has no more of them. */
const ORDERS_OF_ACCOUNT = 25;

/** The facts that are told of one payment, in this order. */
export interface Order {
  provider: string;
  amounts: Amounts;
  told: readonly Fact[];
  /** The fact that is delivered once more, at the end. */
  doubled: Fact | null;
}

/** One line of calls to a service: its payments come one after the other. */
export class Lane {
  private client: TestClient | undefined;
  private before: Record<string, number> = {};
  private orders = 0;
  private made = 0;
  /** Names of one lane are no other's. */
  private readonly name = randomBytes(4).toString('hex');

  constructor(
    private readonly service: TestService,
    private readonly voices: ReadonlyMap<string, Voice>,
  ) {}

  /** @returns how it ended, and how it should have; null: no refund could be asked for then */
  async play({ provider, amounts, told, doubled }: Order): Promise<[Ending, Ending] | null> {
    const voice = this.voices.get(provider);
    if (!voice) throw new Error(`there is no ${provider}`);
    const client = await this.account();
    const story = await this.begin(client, provider, voice, amounts);
    const facts = [...told].sort();
    showTruth(facts, story, voice);
    const heard: HeardDispute[] = [];
    const sent = new Map<Fact, Spoken>();
    for (const fact of told) {
      if (fact === 'asked') {
        if (!(await this.ask(client, voice, story))) return null;
        showTruth(facts, story, voice);
        continue;
      }
      const { spoken, word } = say(fact, facts, story, voice);
      sent.set(fact, spoken);
      if (word) heard.push({ id: disputeId(fact, story, voice), word });
      await this.deliver(provider, fact, spoken);
    }
    const again = doubled && sent.get(doubled);
    if (again) await this.deliver(provider, doubled, again);
    const expected = endingOf(facts, heard, { provider, voice, story });
    return [await this.endingOf(client, provider, story), expected];
  }

  /** By our own API. @returns false where the state forbids it, such as a dispute */
  private async ask(client: TestClient, voice: Voice, story: Story): Promise<boolean> {
    const path = `/v1/finance/documents/${story.invoice}/payments`;
    const { data } = (await client.get<{ data: { id: string }[] }>(path)).body;
    const refunds = `/v1/finance/payments/${data[0]?.id}/refunds`;
    const { status, body, text } = await client.post<{ refund: { id: string } }>(refunds, {
      amount: story.amounts.refund,
    });
    if (status === 409 || status === 422) return false;
    if (status !== 201) throw new Error(`asked: ${status} ${text}`);
    story.refund = body.refund.id;
    story.refundName = voice.refundId(story.refund);
    return true;
  }

  private async deliver(provider: string, fact: Fact, { body, headers }: Spoken): Promise<void> {
    const path = `/v1/webhooks/${provider}`;
    const { status, text } = await this.service.call(path, { method: 'POST', body, headers });
    if (status >= 300) throw new Error(`${provider}, ${fact}: ${status} ${text}`);
  }

  private async account(): Promise<TestClient> {
    if (!this.client || this.orders % ORDERS_OF_ACCOUNT === 0) {
      this.client = await this.service.aClient();
      this.before = {};
    }
    this.orders += 1;
    return this.client;
  }

  private async begin(
    client: TestClient,
    provider: string,
    voice: Voice,
    amounts: Amounts,
  ): Promise<Story> {
    this.made += 1;
    const invoice = await client.anInvoice();
    this.before = await this.balances(client);
    const link = await client.aPaymentLink(invoice, { gateway: provider });
    const { id: linkId, amount, currency } = link;
    const nameOf = (what: string) => voice.refundId(`${this.name}${what}${this.made}`);
    return {
      charge: { id: voice.paymentId(), link: linkId, amount, currency },
      invoice: invoice.id,
      refund: null,
      amounts,
      refundName: nameOf('a'),
      secondName: nameOf('b'),
      againName: nameOf('c'),
      reversalName: voice.reversed?.names?.fresh() ?? '',
      payoutId: `po-${this.name}-${this.made}`,
      startedAt: this.service.clock.now().getTime() - HOUR_MS,
    };
  }

  private async endingOf(
    client: TestClient,
    provider: string,
    { invoice, charge, payoutId }: Story,
  ): Promise<Ending> {
    const { status, amount_paid, amount_due, amount_refunded } = await client.read({ id: invoice });
    const after = await this.balances(client);
    const [row] = await this.service.database.query<{ stored: Stored }>(STORED, [
      uuidOf('acc', client.accountId),
      provider,
      charge.id,
      `payout ${payoutId}`,
    ]);
    const { refunds, disputes, items } = row!.stored;
    return {
      document: { paid: amount_paid, refunded: amount_refunded, due: amount_due, status },
      refunds,
      disputes,
      balances: difference(this.before, after),
      items,
    };
  }

  private async balances(client: TestClient): Promise<Record<string, number>> {
    return balancesOf(this.service, client);
  }
}

interface Stored {
  refunds: Record<string, number>;
  disputes: Record<string, string>;
  items: number;
}

/** Beside the document and the ledger: refunds that stand, disputes, and what waits for a person. */
const STORED = `SELECT json_build_object(
  'refunds', (SELECT coalesce(json_object_agg(coalesce(r.provider_refund_id, 'unnamed'), r.amount), '{}')
    FROM refunds r JOIN payments p USING (account_id, payment_id)
    WHERE r.account_id = $1 AND p.provider_payment_id = $3 AND r.status = 'succeeded'
      AND NOT EXISTS (SELECT FROM refund_undoings u
        WHERE (u.account_id, u.refund_id) = (r.account_id, r.refund_id))),
  'disputes', (SELECT coalesce(json_object_agg(d.provider_dispute_id, s.status), '{}')
    FROM disputes d JOIN dispute_steps s USING (account_id, dispute_id)
    WHERE d.account_id = $1 AND d.provider_payment_id = $3 AND s.step = (
      SELECT max(step) FROM dispute_steps l
      WHERE (l.account_id, l.dispute_id) = (d.account_id, d.dispute_id))),
  'items', (SELECT coalesce(sum(coalesce(i.amount, ${PAID})), 0) FROM unmatched_items i
    WHERE i.gateway = $2 AND (i.provider_payment_id = $3 OR i.subject = $4)
      AND 'open' = coalesce((SELECT s.status FROM unmatched_item_steps s
        WHERE (s.account_id, s.item_id) = (i.account_id, i.item_id)
        ORDER BY step DESC LIMIT 1), 'open'))) AS stored`;

function disputeId(fact: Fact, { charge }: Story, { dispute }: Voice): string {
  return dispute.id(charge.id, fact.startsWith('second') ? 1 : 0);
}

/** A provider that is asked shows how all stands by now, whatever is told first. */
function showTruth(facts: readonly Fact[], story: Story, voice: Voice): void {
  const refunds = refundsOf(facts, story.amounts).map(({ name, amount, back }) => ({
    id: String(story[name]),
    ours: name === 'refundName' ? story.refund : null,
    amount,
    status: back ? ('failed' as const) : ('succeeded' as const),
    at: story.startedAt,
  }));
  voice.showRefunds?.(story.charge, refunds);
}

function difference(before: Record<string, number>, after: Record<string, number>) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, amount]) => amount !== 0)
      .sort(),
  );
}
