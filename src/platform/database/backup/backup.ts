import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type Pack, pack as tarPack } from 'tar-stream';
import { type BackupManifest, BACKUP_FORMAT, MANIFEST, manifestText } from './backup-manifest.js';
import type { Progress } from '../../../kernel/progress.js';
import { newFile } from '../../new-file.js';
import { DATA_DIR } from '../embedded/postgres-cluster.js';
import { clientFor } from '../servers/server-client.js';
import { sha256Of } from '../../sha256.js';

const CHUNK_BYTES = 1_048_576;
/** Files beside the database are small: secrets, passwords, the demo. */
const LARGEST_OTHER_FILE = 1_048_576;
/** Folders of PostgreSQL whose contents it makes anew when it starts. */
const EMPTIED =
  /^(pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)|base\/pgsql_tmp)\//;
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pg_internal\.init.*|pgsql_tmp[^/]*|current_logfiles|t\d+_\d+(_\w+)?(\.\d+)?)$/;
/** Of the service's folder, beside the database itself. */
const NOT_KEPT = /^(postgres(\.init|-lib)?|lock(\..*)?|restoring|backups|.*\.part)$/;
const CONTROL_FILE = 'global/pg_control';

interface BackupRequest {
  /** The service's own folder. */
  dataDir: string;
  /** The path of the backup; nothing may be there yet. */
  file: string;
  /** Of the role that owns the database, on its running server. */
  ownerUrl: string;
  /** Folders inside `dataDir` that can be made anew. */
  leaveOut: string[];
  quittance: string;
  progress?: Progress | undefined;
}

/**
 * Copies the running database and the files beside it into one file, by PostgreSQL's low-level
 * backup. Pages may change while they are copied: the log of the whole backup is copied after them,
 * and puts them right. Everything acknowledged at `made_at` is in it. If the process dies, the
 * server's backup mode ends with its connection, and no file has the name.
 * @see https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function backUp(request: BackupRequest): Promise<BackupManifest> {
  return newFile(request.file, async (handle) => {
    const server = clientFor(request.ownerUrl);
    await server.connect();
    try {
      const archive = new Archive(handle, request.progress && new CopiedBytes(request.progress));
      return await archive.whole(() => writeAll(request, server, archive));
    } finally {
      await server.end();
    }
  });
}

async function writeAll(
  request: BackupRequest,
  server: pg.Client,
  archive: Archive,
): Promise<BackupManifest> {
  const { dataDir } = request;
  const data = join(dataDir, DATA_DIR);
  const ask = async <Row>(sql: string) => (await server.query(sql)).rows[0] as Row;
  // The server keeps its log from here on, until the connection ends.
  await ask(
    `SELECT pg_create_physical_replication_slot('quittance_backup_' || pg_backend_pid(), true, true)`,
  );
  const { version, first } = await ask<{ version: string; first: string }>(
    `SELECT current_setting('server_version') AS version,
       pg_walfile_name(pg_backup_start('quittance', fast => true)) AS first`,
  );
  const others = await otherFiles(request);
  const entries = await entriesOf(data);
  await archive.copied?.expect(others.map((name) => join(dataDir, name)));
  await archive.copied?.expect(entries.map(({ name }) => join(data, name)));
  for (const other of others) await archive.add(other, join(dataDir, other));
  await archive.addFolder(`${DATA_DIR}/pg_wal`);
  for (const entry of entries) {
    const name = `${DATA_DIR}/${entry.name}`;
    if (entry.isFolder) await archive.addFolder(name);
    else await archive.add(name, join(data, entry.name));
  }
  await archive.addBytes(`${DATA_DIR}/${CONTROL_FILE}`, await steady(join(data, CONTROL_FILE)));
  // All that is acknowledged until now is in it.
  const madeAt = new Date().toISOString();
  const { label, spaces, last } = await ask<Record<'label' | 'spaces' | 'last', string>>(
    `SELECT labelfile AS label, spcmapfile AS spaces, pg_walfile_name(lsn) AS last
     FROM pg_backup_stop(wait_for_archive => false)`,
  );
  if (spaces?.trim()) throw new Error('the database has tablespaces, which a backup cannot hold');
  await archive.addBytes(`${DATA_DIR}/backup_label`, Buffer.from(label));
  const segments = (await readdir(join(data, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  );
  if (!segments.includes(first) || !segments.includes(last)) {
    throw new Error(`the log from ${first} to ${last} is not there; try again`);
  }
  await archive.copied?.expect(segments.map((name) => join(data, 'pg_wal', name)));
  for (const segment of segments.toSorted()) {
    await archive.add(`${DATA_DIR}/pg_wal/${segment}`, join(data, 'pg_wal', segment));
  }
  return {
    format: BACKUP_FORMAT,
    made_at: madeAt,
    quittance: request.quittance,
    postgres: version.split(' ')[0] ?? version,
    platform: `${process.platform}-${process.arch}`,
    files: archive.files,
  };
}

/** A tar file, compressed, that knows the digest of each file in it; the list of them comes last. */
class Archive {
  readonly files: BackupManifest['files'] = {};
  private readonly pack = tarPack();

  constructor(
    private readonly handle: FileHandle,
    readonly copied: CopiedBytes | undefined,
  ) {}

  async whole(write: () => Promise<BackupManifest>): Promise<BackupManifest> {
    const written = pipeline(this.pack, createGzip({ level: 1 }), async (compressed) => {
      for await (const chunk of compressed) await this.handle.write(chunk as Uint8Array);
    });
    const filled = write().then((manifest) => {
      this.pack.entry({ name: MANIFEST, mode: 0o600 }, manifestText(manifest));
      this.pack.finalize();
      return manifest;
    });
    // The first that fails ends the other.
    filled.catch((error: Error) => this.pack.destroy(error));
    const [manifest] = await Promise.all([filled, written]);
    return manifest;
  }

  async addFolder(name: string): Promise<void> {
    await this.begin({ name: `${name}/`, type: 'directory', mode: 0o700 }).ended;
  }

  async addBytes(name: string, bytes: Buffer): Promise<void> {
    this.files[name] = { size: bytes.length, sha256: sha256Of(bytes) };
    const { entry, ended } = this.begin({ name, size: bytes.length, mode: 0o600 });
    entry.end(bytes);
    await ended;
  }

  /**
   * A file is copied at its length of this moment. The log puts a file right that is cut off or
   * longer meanwhile; a file that is gone was dropped.
   */
  async add(name: string, path: string): Promise<void> {
    const source = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!source) return;
    try {
      const { size } = await source.stat();
      const hash = createHash('sha256');
      const { entry, ended } = this.begin({ name, size, mode: 0o600 });
      for (let at = 0; at < size; at += CHUNK_BYTES) {
        // Bytes that are not read stay zero.
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
        await source.read(chunk, 0, chunk.length, at);
        hash.update(chunk);
        this.copied?.add(chunk.length);
        if (entry.write(chunk)) continue;
        await Promise.race([once(entry as unknown as NodeJS.EventEmitter, 'drain'), ended]);
      }
      entry.end(null);
      await ended;
      this.files[name] = { size, sha256: hash.digest('hex') };
    } finally {
      await source.close();
    }
  }

  /** `ended` also when the archive cannot be written any more. */
  private begin(header: Parameters<Pack['entry']>[0]) {
    let entry!: ReturnType<Pack['entry']>;
    const ended = new Promise<void>((resolve, reject) => {
      entry = this.pack.entry(header, (error) => (error ? reject(error) : resolve()));
    });
    ended.catch(() => undefined);
    return { entry, ended };
  }
}

/** How far a copy has come. The log that is written meanwhile makes it longer. */
class CopiedBytes {
  private done = 0;
  private total = 0;

  constructor(private readonly progress: Progress) {}

  async expect(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) this.total += found.size;
    }
  }

  add(bytes: number): void {
    this.done += bytes;
    this.progress(this.done, Math.max(this.done, this.total));
  }
}

interface ArchiveEntry {
  name: string;
  isFolder: boolean;
}

/** All of the data directory but what PostgreSQL makes anew, and what is copied by itself. */
async function entriesOf(data: string): Promise<ArchiveEntry[]> {
  const found = await readdir(data, { recursive: true, withFileTypes: true });
  return found
    .map((one) => ({
      name: relative(data, join(one.parentPath, one.name)),
      isFolder: one.isDirectory(),
      isFile: one.isFile(),
    }))
    .filter(({ name, isFolder, isFile }) => isFolder || (isFile && name !== CONTROL_FILE))
    .filter(({ name }) => !EMPTIED.test(name) && !LEFT_OUT.test(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Names inside the service's folder, the database apart. */
async function otherFiles({ dataDir, leaveOut, file }: BackupRequest): Promise<string[]> {
  const names: string[] = [];
  const left = new Set([...leaveOut, file]);
  const walk = async (folder: string): Promise<void> => {
    for (const one of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, one.name);
      if (left.has(path) || (folder === dataDir && NOT_KEPT.test(one.name))) continue;
      if (one.isDirectory()) await walk(path);
      else if (one.isFile() && (await stat(path)).size <= LARGEST_OTHER_FILE) {
        names.push(relative(dataDir, path));
      }
    }
  };
  await walk(dataDir);
  return names;
}

/** Twice the same: PostgreSQL writes it in place. */
async function steady(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ;) {
    const now = await readFile(path);
    if (now.equals(before)) return now;
    before = now;
  }
}
