import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of a payment of which more went back than came, refunds have their place first: what a provider took
 * back before becomes a loss. So a reversal over nothing may lose something, as it may ask for a loss.
 */
export class LossesMakeRoom1764625000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_reversals
        DROP CONSTRAINT provider_reversals_amount_sound,
        ADD CONSTRAINT provider_reversals_amount_sound
          CHECK (amount > 0 OR amount < 0 AND dispute_id IS NOT NULL OR amount = 0 AND lost <> 0),
        DROP CONSTRAINT provider_reversals_parts_within_amount,
        ADD CONSTRAINT provider_reversals_parts_within_amount CHECK (
          from_credit * sign(amount) >= 0 AND lost * sign(amount) >= 0 AND CASE
            WHEN amount < 0 THEN from_credit + lost >= amount
            WHEN amount > 0 THEN from_credit + lost <= amount
            ELSE from_credit * sign(lost) <= 0 AND abs(from_credit) <= abs(lost) END);
      COMMENT ON COLUMN provider_reversals.amount IS
        'What was taken back, in minor units; below zero: a dispute gave it again; zero: what had been lost is asked for, or lost for a refund.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_reversals
        DROP CONSTRAINT provider_reversals_amount_sound,
        ADD CONSTRAINT provider_reversals_amount_sound
          CHECK (amount > 0 OR amount < 0 AND dispute_id IS NOT NULL OR amount = 0 AND lost < 0),
        DROP CONSTRAINT provider_reversals_parts_within_amount,
        ADD CONSTRAINT provider_reversals_parts_within_amount CHECK (
          from_credit * sign(amount) >= 0 AND lost * sign(amount) >= 0 AND CASE
            WHEN amount < 0 THEN from_credit + lost >= amount
            WHEN amount > 0 THEN from_credit + lost <= amount
            ELSE from_credit >= 0 AND from_credit <= -lost END);
      COMMENT ON COLUMN provider_reversals.amount IS
        'What was taken back, in minor units; below zero: a dispute gave it again; zero: what had been lost is asked for.';
    `);
  }
}
