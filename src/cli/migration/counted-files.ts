import { csvRows } from './csv-rows.js';
import type { ExportFolder } from './export-folder.js';
import { type JsonElement, jsonElements } from './json-elements.js';
import type { MigrationPlan } from './migration-plan.js';

/** Files that no reader asked for are told, with the number of their rows. */
export async function countOthers(folder: ExportFolder, plan: MigrationPlan): Promise<void> {
  for (const { name, path } of folder.others) {
    const rows = name.endsWith('.csv') ? csvRows(path) : elementsIn(name, path);
    const count = rows ? await counted(rows) : 1;
    plan.lose(`file ${name}`, undefined, 0n, count);
  }
}

const elementsIn = (name: string, path: string) => (name.endsWith('.json') ? listedIn(path) : null);

async function* listedIn(path: string): AsyncGenerator<JsonElement> {
  for await (const element of jsonElements(path)) if (element.index !== null) yield element;
}

/** Nothing is taken of them, so that one that cannot be read stops nothing. */
async function counted(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  try {
    for await (const _ of rows) count += 1;
  } catch {
    // They are counted up to there.
  }
  return count;
}
