import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The accounts and facts of money that changes its mind after it was paid. */
export class AfterPaid1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart;
      ALTER DOMAIN ledger_account ADD CONSTRAINT ledger_account_of_the_chart CHECK (VALUE ~
        '^(receivables|rejected_receivables|cash|gateway_clearing|payouts_in_transit|disputed_funds|customer_credit|unmatched_receipts|credit_notes|revenue|tax_payable|rounding|bad_debt|payment_differences|gateway_fees|payment_losses|bank_fees|other_expenses|other_income|opening_balances|currency_exchange)/[A-Z]{3}$');
      ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
      ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known CHECK (VALUE ~
        '^(document\\.(issued|rejected|voided|written_off|write_off_reversed)|credit_note\\.(issued|voided)|payment\\.(recorded|moved|reversed|refunded)|refund\\.(returned|reversed)|receipt\\.(unmatched|refunded|closed)|dispute\\.(opened|won|lost)|payout\\.(sent|failed)|bank_entry\\.(booked|unbooked))$');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart;
      ALTER DOMAIN ledger_account ADD CONSTRAINT ledger_account_of_the_chart CHECK (VALUE ~
        '^(receivables|cash|gateway_clearing|customer_credit|unmatched_receipts|credit_notes|revenue|tax_payable|rounding|bad_debt|payment_differences|gateway_fees)/[A-Z]{3}$');
      ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
      ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known CHECK (VALUE ~
        '^(document\\.(issued|voided|written_off)|credit_note\\.(issued|voided)|payment\\.(recorded|moved|reversed|refunded)|receipt\\.(unmatched|refunded))$');
    `);
  }
}
