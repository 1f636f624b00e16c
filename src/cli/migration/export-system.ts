import type { ExportFolder } from './export-folder.js';
import type { MigrationPlan } from './migration-plan.js';

export interface ReadingOptions {
  /** In which instants of an export become days. */
  timeZone: string;
  /** The category of a line without tax, where the export does not say why. */
  untaxed: string;
}

/** A system that somebody comes from. Its reader knows the forms of its exports, and nothing else does. */
export interface ExportSystem {
  name: string;
  title: string;
  /** @throws Error where the export as a whole cannot be read */
  read(folder: ExportFolder, plan: MigrationPlan, options: ReadingOptions): Promise<void>;
}
