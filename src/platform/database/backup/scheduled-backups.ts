import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../config/config.js';
import { Job } from '../../jobs.js';
import type { Log } from '../../observability/log.js';
import { recordedBackup } from './recorded-backup.js';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;
const LONGEST_WAIT = 60;
/** `quittance-20261126T050000Z.backup`. Other files of the folder are not ours. */
const NAME = /^quittance-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
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

  constructor(
    private readonly config: Pick<Config, 'dataDir' | 'cacheDir' | 'backups'>,
    private readonly ownerUrl: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.job = new Job(
      LOOK_EVERY_MS,
      () => this.run(),
      (error) =>
        log.error(
          { error, minutes: this.wait },
          'no backup could be made; the next try is in so many minutes',
        ),
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
    try {
      await this.backUpWhenDue();
      this.wait = 0;
    } catch (error) {
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
    const file = join(
      folder,
      `quittance-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`,
    );
    const { files } = await recordedBackup(this.config, 'backup.begun', this.ownerUrl, file);
    this.log.info({ file, files: Object.keys(files).length }, 'backup made');
    await this.clear(folder, NAME, kept);
  }

  private async clear(folder: string, name: RegExp, kept: number): Promise<void> {
    const names = (await readdir(folder)).filter((one) => name.test(one)).sort();
    for (const old of names.slice(0, Math.max(0, names.length - kept))) {
      await rm(join(folder, old), { force: true });
    }
  }
}

/** When the newest one was made; undefined where there is none. */
export async function newestBackup(folder: string): Promise<Date | undefined> {
  const names = await readdir(folder).catch(() => []);
  const [newest] = names
    .filter((name) => NAME.test(name))
    .sort()
    .toReversed();
  const [, year, month, day, hour, minute, second] = NAME.exec(newest ?? '') ?? [];
  return newest === undefined
    ? undefined
    : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
