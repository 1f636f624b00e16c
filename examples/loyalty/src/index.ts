import { Controller, Injectable, Module, Param } from '@nestjs/common';
import { Command } from 'commander';
import {
  AccountSettings,
  answerShape,
  type Caller,
  CallerOf,
  customerId,
  Database,
  defineExtension,
  domainRefusals,
  type EventOf,
  ExtensionLetters,
  ExtensionSettings,
  Facts,
  Get,
  type OwnTables,
  uuidOf,
  z,
} from 'quittance';

const LoyaltyRefusal = domainRefusals({
  not_found: { loyalty_no_points: 'The customer has no points yet.' },
  conflict: { loyalty_paused: 'This customer collects no points now; record it without the mark.' },
});

/** `EXT_LOYALTY_UNITS_PER_POINT=10`: a point for each 10 EUR. */
const Settings = z.strictObject({
  units_per_point: z.coerce
    .number()
    .int('has to be whole')
    .min(1, 'has to be 1 or more')
    .default(1),
});

/** Of each account: customers are thanked for a document that gave so many points. */
const OfAccounts = z.strictObject({
  thank_from: z.coerce.number().int('has to be whole').min(1, 'has to be 1 or more').optional(),
});

const Points = answerShape('LoyaltyPoints', { customer_id: z.string(), points: z.int() });

/** Points in the transaction of the payment. */
@Injectable()
export class LoyaltyPoints {
  private readonly minorPerPoint: number;

  constructor(
    facts: Facts,
    private readonly database: Database,
    settings: ExtensionSettings,
    private readonly accounts: AccountSettings,
    private readonly letters: ExtensionLetters,
  ) {
    this.minorPerPoint = 100 * settings.of(Settings).units_per_point;
    facts.on('payment.recorded', (tx, event) => this.give(tx, event));
  }

  async of(accountId: string, customer: string): Promise<number> {
    const [row] = await this.database.query<{ points: bigint | null }>(
      `SELECT sum(points)::bigint AS points FROM ext_loyalty_given
       WHERE account_id = $1 AND customer_id = $2`,
      [accountId, customer],
    );
    if (row?.points == null) throw LoyaltyRefusal.loyalty_no_points.of();
    return Number(row.points);
  }

  /** Whatever takes time is done later. Each document is asked about once. */
  async thank(): Promise<void> {
    const given = await this.database.query<{
      account_id: string;
      document_id: string;
      points: bigint;
    }>(
      `SELECT account_id, document_id, sum(points)::bigint AS points FROM ext_loyalty_given g
       WHERE document_id IS NOT NULL AND NOT EXISTS (SELECT FROM ext_loyalty_thanked t
         WHERE (t.account_id, t.document_id) = (g.account_id, g.document_id))
       GROUP BY 1, 2 LIMIT 100`,
      [],
    );
    for (const { account_id: accountId, document_id: documentId, points } of given) {
      const { thank_from: from } = (await this.accounts.of(accountId, OfAccounts)) ?? {};
      if (from !== undefined && points >= from) {
        await this.letters.send(accountId, documentId, 'ext:loyalty:thanks', { fact: 'points' });
      }
      await this.database.query('INSERT INTO ext_loyalty_thanked VALUES ($1, $2)', [
        accountId,
        documentId,
      ]);
    }
  }

  /** A refusal takes the payment back, too: neither is there without the other. */
  private give(
    tx: OwnTables,
    { accountId, document, data: { payment } }: EventOf<'payment.recorded'>,
  ): void {
    if (payment.metadata['loyalty'] === 'paused') throw LoyaltyRefusal.loyalty_paused.of();
    tx.insert('ext_loyalty_given', {
      account_id: accountId,
      payment_id: uuidOf('pay', payment.id),
      customer_id: customerId(payment.customer_id),
      document_id: document?.id ?? null,
      points: BigInt(Math.floor(payment.amount / this.minorPerPoint)),
    });
  }
}

@Controller('points')
class PointsController {
  constructor(private readonly points: LoyaltyPoints) {}

  @Get(':customer', 'ext:loyalty:read', {
    summary: 'Points of a customer',
    answers: Points,
    problems: [LoyaltyRefusal.loyalty_no_points],
  })
  async getPoints(@CallerOf() caller: Caller, @Param('customer') customer: string) {
    const points = await this.points.of(caller.accountId, customerId(customer));
    return { customer_id: customer, points };
  }
}

@Module({ providers: [LoyaltyPoints], controllers: [PointsController] })
class LoyaltyModule {}

export default defineExtension({
  name: 'loyalty',
  quittance: '^0.2',
  settings: Settings,
  accountSettings: { schema: OfAccounts, kinds: { thank_from: 'shown' } },
  module: LoyaltyModule,
  scopes: { 'ext:loyalty:read': 'Read points of customers.' },
  problems: LoyaltyRefusal,
  migrations: [
    {
      name: '1-given',
      sql: `
        CREATE TABLE ext_loyalty_given (
          account_id uuid NOT NULL,
          payment_id uuid NOT NULL,
          customer_id uuid NOT NULL,
          document_id uuid,
          points bigint NOT NULL CHECK (points >= 0),
          PRIMARY KEY (account_id, payment_id)
        );
        CREATE INDEX ext_loyalty_given_of_customers ON ext_loyalty_given (account_id, customer_id)`,
      seals: ['ext_loyalty_given'],
    },
    {
      name: '2-thanked',
      sql: `
        CREATE TABLE ext_loyalty_thanked (
          account_id uuid NOT NULL,
          document_id uuid NOT NULL,
          PRIMARY KEY (account_id, document_id)
        )`,
    },
  ],
  letters: [
    {
      name: 'thanks',
      write: ({ number }, { name }) => ({
        subject: `Points for ${number}`,
        text: `${name} thanks you: ${number} gave you points.`,
        html: `<p><b>Thank you</b>: the invoice gave you points.</p>`,
      }),
    },
  ],
  jobs: [{ name: 'thank', everyMs: 2000, run: async (means) => means.get(LoyaltyPoints).thank() }],
  commands: ({ withApp, print }) => [
    new Command('points')
      .description('points of a customer')
      .argument('<account>', 'acc_...')
      .argument('<customer>', 'cus_...')
      .option('--json', 'print JSON')
      .action(async (account: string, customer: string, options: { json?: boolean }) =>
        withApp(async (app) => {
          const accountId = uuidOf('acc', account) ?? '';
          const points = await app
            .get(LoyaltyPoints, { strict: false })
            .of(accountId, customerId(customer));
          print(options, { points }, `${points} points`);
        }),
      ),
  ],
});
