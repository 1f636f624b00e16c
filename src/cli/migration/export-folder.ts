import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface ExportFile {
  name: string;
  path: string;
}

/** The folder of an export. A path may also name one file of it, which is then read alone. */
export class ExportFolder {
  private readonly used = new Set<string>();

  private constructor(
    private readonly folder: string,
    readonly names: readonly string[],
  ) {}

  static async of(path: string): Promise<ExportFolder> {
    const found = await stat(path).catch(() => null);
    if (!found) throw new Error(`${path}: there is no such file or folder.`);
    if (found.isFile()) return new ExportFolder(dirname(path), [basename(path)]);
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return new ExportFolder(path, names.toSorted());
  }

  /** The first of these files that is there. */
  find(...names: string[]): ExportFile | null {
    const name = names.find((one) => this.names.includes(one));
    if (name === undefined) return null;
    this.used.add(name);
    return { name, path: join(this.folder, name) };
  }

  need(...names: string[]): ExportFile {
    const file = this.find(...names);
    if (!file) throw new Error(`${this.folder}: ${names.join(' or ')} is missing.`);
    return file;
  }

  /** Files that nobody asked for. */
  get others(): ExportFile[] {
    return this.names
      .filter((name) => !this.used.has(name))
      .map((name) => ({ name, path: join(this.folder, name) }));
  }
}
