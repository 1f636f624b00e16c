import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A file each module, in the order in which they stand on each other. */
const FILES = ['platform', 'auth', 'events', 'documents', 'books', 'payments', 'bank', 'integrity'];

/** The schema of the first release. Every later change is a migration of its own. */
export class Baseline1764000000000 implements MigrationInterface {
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
