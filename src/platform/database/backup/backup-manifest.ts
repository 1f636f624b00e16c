import { z } from 'zod';
import { sha256Of } from '../../sha256.js';

/** Grows when a backup can no longer be read by the versions before. */
export const BACKUP_FORMAT = 1;
/** The last entry of a backup; without it, the file is not whole. */
export const MANIFEST = 'manifest.json';

const Manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  made_at: z.iso.datetime(),
  /** Versions of what made it. */
  quittance: z.string(),
  postgres: z.string(),
  /** Data files of another kind of machine cannot be read: `linux-x64`. */
  platform: z.string(),
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
});

export type BackupManifest = z.infer<typeof Manifest>;

/** One line of JSON, and one with its SHA-256. */
export function manifestText(manifest: BackupManifest): string {
  const text = JSON.stringify(manifest);
  return `${text}\n${sha256Of(text)}\n`;
}

/** @throws with what is wrong with it */
export function readManifest(lines: string): BackupManifest {
  const [text = '', sha256] = lines.split('\n');
  if (sha256Of(text) !== sha256) throw new Error('its list of files was changed');
  const value = JSON.parse(text) as { format?: unknown };
  if (value.format !== BACKUP_FORMAT) {
    throw new Error(
      `it has format ${String(value.format)}, and this Quittance reads ${BACKUP_FORMAT}`,
    );
  }
  return Manifest.parse(value);
}
