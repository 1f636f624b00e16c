import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExportFolder } from '../../src/cli/migration/export-folder.js';
import { MigrationPlan, placeText } from '../../src/cli/migration/migration-plan.js';
import { SYSTEMS } from '../../src/cli/migration/systems.js';

export type MadeUpExport = 'stripe' | 'stripe-tables' | 'invoice-ninja' | 'csv';

const FIXTURES = fileURLToPath(new URL('../fixtures/migration/', import.meta.url));

/** A copy of a made-up export, to be spoiled. */
export class ExportCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'quittance-export-'));

  constructor(which: MadeUpExport) {
    cpSync(join(FIXTURES, which), this.folder, { recursive: true });
  }

  change(file: string, change: (text: string) => string): this {
    const path = join(this.folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return this;
  }
}

export const exportOf = (which: MadeUpExport): string => join(FIXTURES, which);

export async function readPlan(
  name: string,
  folder: string,
  options: Partial<{ timeZone: string; untaxed: string }> = {},
): Promise<MigrationPlan> {
  const system = SYSTEMS.find((one) => one.name === name);
  if (!system) throw new Error(`${name} is no system`);
  const plan = new MigrationPlan(name);
  const reading = { timeZone: 'UTC', untaxed: 'Z', ...options };
  await system.read(await ExportFolder.of(folder), plan, reading);
  return plan;
}

/** In lines that a test can compare. */
export const lossesOf = (plan: MigrationPlan): string[] =>
  plan.losses.map(({ what, count, sums }) =>
    [what, count, ...sums.all.map(([currency, amount]) => `${amount} ${currency}`)].join(' | '),
  );

export const leftOutLines = (plan: MigrationPlan): string[] =>
  plan.leftOut.map(
    ({ place, subject, id, reason }) => `${placeText(place)} ${subject} ${id}: ${reason}`,
  );
