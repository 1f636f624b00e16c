import { Controller, Injectable, Module, Param } from '@nestjs/common';
import { Command } from 'commander';
import { z } from 'zod';
import { customerId } from '../../../src/documents/index.js';
import type { OwnTables } from '../../../src/events/index.js';
import { type EventOf, Facts } from '../../../src/extensions/facts.js';
import { defineExtension, type Extension } from '../../../src/extensions/extension.js';
import { domainRefusals } from '../../../src/kernel/domain-refusal.js';
import { Database } from '../../../src/platform/database/database.js';
import { type Caller, CallerOf } from '../../../src/platform/http/request.js';
import { Get } from '../../../src/platform/http/route.js';
import { answerShape } from '../../../src/platform/http/validation/shapes.js';

/*
 * An extension as another company would write it: paid invoices give points, in the transaction of
 * the payment. A note in a payment's metadata makes it fail in one way or the other.
 */

const LoyaltyRefusal = domainRefusals({
  not_found: { loyalty_no_points: 'The customer has no points yet.' },
  conflict: { loyalty_paused: 'Points are paused; record the payment later.' },
});

/** Also of payments that a provider tells, which have no metadata. */
export const loyaltyState = { isPaused: false };

const PointsBody = answerShape('LoyaltyPoints', {
  customer_id: z.string(),
  points: z.int(),
});

@Injectable()
class Points {
  constructor(
    facts: Facts,
    private readonly database: Database,
  ) {
    facts.on('payment.recorded', (tx, event) => this.give(tx, event));
  }

  async of(accountId: string, customer: string): Promise<number> {
    const [row] = await this.database.query<{ points: bigint }>(
      `SELECT sum(points)::bigint AS points FROM ext_loyalty_given
       WHERE account_id = $1 AND customer_id = $2`,
      [accountId, customer],
    );
    if (row?.points == null) throw LoyaltyRefusal.loyalty_no_points.of();
    return Number(row.points);
  }

  private give(tx: OwnTables, { accountId, data }: EventOf<'payment.recorded'>): unknown {
    const { payment } = data;
    const wish = payment.metadata['loyalty'];
    if (loyaltyState.isPaused) throw LoyaltyRefusal.loyalty_paused.of();
    if (wish === 'throw') throw new Error('loyalty broke');
    if (wish === 'refuse') throw LoyaltyRefusal.loyalty_paused.of();
    if (wish === 'late') return Promise.resolve();
    if (wish === 'foreign') tx.write('DELETE FROM events');
    tx.insert('ext_loyalty_given', {
      account_id: accountId,
      payment_id: payment.id,
      customer_id: customerId(payment.customer_id),
      points: BigInt(Math.floor(payment.amount / 100)),
    });
    return undefined;
  }
}

@Controller('points')
class PointsController {
  constructor(private readonly points: Points) {}

  @Get(':customer', 'ext:loyalty:read', {
    summary: 'Points of a customer',
    answers: PointsBody,
    problems: [LoyaltyRefusal.loyalty_no_points],
  })
  async getPoints(@CallerOf() caller: Caller, @Param('customer') customer: string) {
    const points = await this.points.of(caller.accountId, customerId(customer));
    return { customer_id: customer, points };
  }
}

@Module({ providers: [Points], controllers: [PointsController] })
class LoyaltyModule {}

const TABLES = `
  CREATE TABLE ext_loyalty_given (
    account_id uuid NOT NULL,
    payment_id text NOT NULL,
    customer_id uuid NOT NULL,
    points bigint NOT NULL CHECK (points >= 0),
    PRIMARY KEY (account_id, payment_id)
  )`;

export const loyalty = (): Extension =>
  defineExtension({
    name: 'loyalty',
    quittance: '^0.2',
    module: LoyaltyModule,
    scopes: { 'ext:loyalty:read': 'Read points.' },
    problems: LoyaltyRefusal,
    migrations: [{ name: '1-given', sql: TABLES }],
    formats: [
      {
        name: 'plain-text',
        mediaType: 'text/plain',
        summary: 'A document in a line',
        render: ({ number, total }) => `${number} ${total.toString()}`,
      },
    ],
    commands: ({ withApp, print }) => [
      new Command('points')
        .argument('<account>')
        .argument('<customer>')
        .option('--json')
        .action(async (account: string, customer: string, options: { json?: boolean }) =>
          withApp(async (app) => {
            const points = await app.get(Points, { strict: false }).of(account, customer);
            print(options, { points }, `${points} points`);
          }),
        ),
    ],
  });
