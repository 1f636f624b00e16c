import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../config/config.js';
import { Job } from '../../jobs.js';
import type { Log } from '../../observability/log.js';
import { type Figures, secondsSince } from '../../observability/figures.js';
import type { Metrics } from '../../observability/metrics.js';
import { instantOf, stampOf } from './backup-stamp.js';
import { recordedBackup } from './recorded-backup.js';
import { BackupStore, storedName } from './store/backup-store.js';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;
const LONGEST_WAIT = 60;
/** `quittance-20261126T050000Z.backup`. Other files of the folder are not ours. */
const NAME = /^quittance-(\d{8}T\d{6}Z)\.backup$/;
const UNFINISHED = /^quittance-\d{8}T\d{6}Z\.backup\.\d+\.part$/;

/**
 * Makes backups of the embedded database every so many hours, and keeps the newest. The folder is
 * the memory: a restart makes none before its time, and one that was missed is made at once.
 */
export class ScheduledBackups {
  private readonly job: Job;
  /** Minutes from the last failure to the next try, and those of them that are still to pass. */
  private wait = 0;
  private pause = 0;
  /** The newest of the store, as far as this process has seen it. */
  private newestSent: Date | undefined;

  constructor(
    private readonly config: Pick<Config, 'dataDir' | 'cacheDir' | 'backups'>,
    private readonly ownerUrl: string,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    figures: Figures,
  ) {
    this.job = new Job(
      LOOK_EVERY_MS,
      () => this.run(),
      (error) =>
        log.error(
          { error, minutes: this.wait },
          'no backup could be made, or sent; the next try is in so many minutes',
        ),
    );
    figures.measure(
      {
        name: 'backup_age_seconds',
        help: 'Age of the newest backup, by place: folder (infinite: there is none), or store once it is known.',
        label: 'place',
        signs: [
          {
            state: 'behind',
            above: 2 * config.backups.hours * (HOUR_MS / 1000),
            says: 'The newest backup is too old, in the',
            next: 'the log says why none could be made or sent; docs/runbook.md#backup-too-old',
          },
        ],
      },
      async (now) => {
        const made = await newestBackup(config.backups.folder);
        return {
          folder: made ? secondsSince(made, now) : Infinity,
          ...(this.newestSent && { store: secondsSince(this.newestSent, now) }),
        };
      },
    );
  }

  start(): void {
    void this.job.begin();
    this.job.start();
  }

  /** A backup under way ends with the server, and leaves nothing behind. */
  stop(): void {
    void this.job.stop();
  }

  /** One round. After each failure the next try waits twice as long, up to an hour. */
  async run(): Promise<void> {
    this.pause -= 1;
    if (this.pause > 0) return;
    let place: 'folder' | 'store' = 'folder';
    try {
      await this.backUpWhenDue();
      place = 'store';
      await this.sendWhenDue();
      this.wait = 0;
    } catch (error) {
      this.metrics.countFailedBackup(place);
      this.wait = Math.min(this.wait * 2 || 1, LONGEST_WAIT);
      this.pause = this.wait;
      throw error;
    }
  }

  private async backUpWhenDue(): Promise<void> {
    const { folder, hours, kept } = this.config.backups;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const now = this.clock.serverNow();
    const newest = await newestBackup(folder);
    // A clock that was set back must not keep the next backup waiting for years.
    const ageMs = newest ? now.getTime() - newest.getTime() : Infinity;
    if (ageMs >= 0 && ageMs < hours * HOUR_MS) return;
    await this.clear(folder, UNFINISHED, 0);
    const file = join(folder, backupName(now));
    const { files } = await recordedBackup(this.config, 'backup.begun', this.ownerUrl, file);
    this.log.info({ file, files: Object.keys(files).length }, 'backup made');
    await this.clear(folder, NAME, kept);
  }

  /** The newest one of the folder, once; a store that did not take it gets it in a later round. */
  private async sendWhenDue(): Promise<void> {
    const { folder, store: config } = this.config.backups;
    const at = await newestBackup(folder);
    if (!config || !at || this.newestSent?.getTime() === at.getTime()) return;
    const store = await BackupStore.open(config);
    const file = backupName(at);
    const name = storedName(at, 'backup');
    const isThere = (await store.list()).some((one) => one.name === name);
    if (!isThere) {
      const { bytes } = await store.send(createReadStream(join(folder, file)), name);
      this.log.info({ name, bytes }, 'backup sent to the store');
    }
    const { deleted, locked } = await store.prune(this.clock.serverNow());
    if (deleted.length + locked.length > 0)
      this.log.info({ deleted, locked }, 'old backups of the store, and those that it keeps');
    this.newestSent = at;
  }

  private async clear(folder: string, name: RegExp, kept: number): Promise<void> {
    const names = (await readdir(folder)).filter((one) => name.test(one)).sort();
    for (const old of names.slice(0, Math.max(0, names.length - kept))) {
      await rm(join(folder, old), { force: true });
    }
  }
}

const backupName = (at: Date) => `quittance-${stampOf(at)}.backup`;

/** When the newest one was made; undefined where there is none. */
export async function newestBackup(folder: string): Promise<Date | undefined> {
  const names = await readdir(folder).catch(() => []);
  const [newest] = names
    .filter((name) => NAME.test(name))
    .sort()
    .toReversed();
  return instantOf(NAME.exec(newest ?? '')?.[1]);
}
