import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The balances at providers are read from sums, as other reports are. */
export class GatewaySums1795723280000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE gateway_sums (
         account_id uuid NOT NULL,
         span text NOT NULL CONSTRAINT gateway_sums_span_known CHECK (span IN ('day', 'month')),
         begins_on date NOT NULL,
         gateway text NOT NULL,
         currency text NOT NULL
           CONSTRAINT gateway_sums_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
         part text NOT NULL CONSTRAINT gateway_sums_part_known
           CHECK (part IN ('payments', 'refunds', 'fees', 'disputes', 'payouts', 'other')),
         moved numeric NOT NULL,
         CONSTRAINT gateway_sums_pkey
           PRIMARY KEY (account_id, span, begins_on, gateway, currency, part)
       ) WITH (fillfactor = 70)`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
    // All sums have one mark, and are made anew.
    await runner.query('DELETE FROM transfer_sums');
    await runner.query('DELETE FROM claim_sums');
    await runner.query(`UPDATE event_marks SET through_xact = 0 WHERE consumer = 'sums'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway_sums');
  }
}

const COMMENTS = [
  [
    'TABLE gateway_sums',
    'What moved at gateways by day and by month, as far as `transfer_sums`. Made from `transfers`, ' +
      'which `integrity` compares.',
  ],
  ['COLUMN gateway_sums.account_id', 'Account that the row belongs to.'],
  ['COLUMN gateway_sums.span', 'How long: `day` or `month`.'],
  ['COLUMN gateway_sums.begins_on', 'The day, or the first of the month.'],
  ['COLUMN gateway_sums.gateway', 'Name of the gateway; empty: the transfer names none.'],
  ['COLUMN gateway_sums.currency', 'ISO 4217 code of the amounts.'],
  ['COLUMN gateway_sums.part', 'Kind of movement, as the comparison with providers shows it.'],
  ['COLUMN gateway_sums.moved', 'Debits less credits of `gateway_clearing`, in minor units.'],
] as const;
