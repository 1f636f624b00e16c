import { Injectable } from '@nestjs/common';

/** So often each process looks for what the database lacks. */
export const LOOK_MS = 5000;
/** After another server took over, every process has looked by then. */
const SETTLE_MS = 3 * LOOK_MS;

/**
 * Servers that follow one another, as far as this process has looked at what each of them has. Until
 * all processes have, nothing is given that one before may have given already.
 */
@Injectable()
export class Succession {
  private lookedAt: number | null | undefined;
  private movedAt = -Infinity;

  /** Of the server that was looked at; null: its host tells none; undefined: none was. */
  get timeline(): number | null | undefined {
    return this.lookedAt;
  }

  /** All that the server of this timeline lacks is known. */
  looked(timeline: number | null): void {
    if (this.lookedAt !== undefined && timeline !== this.lookedAt) this.movedAt = performance.now();
    this.lookedAt = timeline;
  }

  /** @param timeline of the server that answers now, where it is known */
  hasSettled(timeline = this.lookedAt): boolean {
    if (this.lookedAt === undefined || timeline !== this.lookedAt) return false;
    return performance.now() - this.movedAt >= SETTLE_MS;
  }

  /** Seconds after which it mostly has. */
  get patience(): number {
    const left = this.movedAt + SETTLE_MS - performance.now();
    return Math.ceil((left > 0 ? left : SETTLE_MS + LOOK_MS) / 1000);
  }
}

/** The file of the log that is written: a checkpoint may tell the new timeline minutes later. */
export const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`;
