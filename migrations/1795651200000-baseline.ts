import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By module and subject, in the order in which they stand on each other. */
const FILES = [
  'platform',
  'auth',
  'events',
  'documents/search',
  'documents/catalogue',
  'documents/rules',
  'documents/documents',
  'documents/parts',
  'books/ledger',
  'books/periods',
  'payments/links',
  'payments/unmatched',
  'payments/payments',
  'payments/credit',
  'payments/refunds',
  'payments/disputes',
  'payments/providers',
  'bank/statements',
  'bank/payouts',
  'mail',
  'integrity',
];

/** The schema of 0.2.0. Every later change is a migration of its own. */
export class Baseline1795651200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const file of FILES) {
      const url = new URL(`./baseline/${file}.sql`, import.meta.url);
      await runner.query(await readFile(url, 'utf8'));
    }
  }

  async down(): Promise<void> {
    throw new Error('There is nothing before the baseline: drop the database instead.');
  }
}
