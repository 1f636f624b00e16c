import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { ClockWatch } from '../../platform/observability/clock-watch.js';
import {
  type RevocationRow,
  type Revocation,
  revocationsSince,
} from '../infrastructure/revocations.query.js';

const EVERY_MS = 1000;
/** Longer than any access token lives (`QUITTANCE_ACCESS_TOKEN_SECONDS` is a day at most). */
const KEPT_MS = 25 * 3_600_000;

/** The claims by which an access token can be revoked. */
export interface Revocable {
  clientId: Uuid;
  clientVersion: number;
  familyId: Uuid;
}

/**
 * Access tokens that ended before their time. Requests ask the memory of the process; each second
 * it reads what was committed since, so that a revocation holds in every process within seconds.
 */
@Injectable()
export class Revocations implements OnModuleInit {
  private readonly families = new Map<Uuid, number>();
  private readonly versions = new Map<Uuid, { below: number; atMs: number }>();
  /** Every transaction before this one had ended when we last looked. */
  private horizon = 0n;
  private isFailing = false;
  private readonly job: Job;

  constructor(
    private readonly database: Database,
    private readonly clock: ClockWatch,
    jobs: Jobs,
  ) {
    const failure = 'revocations could not be read; tried again';
    const options = { name: 'revocations', inEachProcess: true, onlyReads: true };
    this.job = jobs.every(EVERY_MS, failure, () => this.tryToRead(), options);
  }

  /** Before the first round; no process starts without. */
  async onModuleInit(): Promise<void> {
    await this.read();
  }

  ends({ clientId, clientVersion, familyId }: Revocable): boolean {
    if (this.families.has(familyId)) return true;
    const version = this.versions.get(clientId);
    return version !== undefined && clientVersion < version.below;
  }

  /** After a commit: this process need not wait for its own news. */
  async refresh(): Promise<void> {
    await this.job.beginAnew();
  }

  /** If this read fails, the next poll begins at the same place. */
  private async tryToRead(): Promise<void> {
    try {
      await this.read();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.job.failed(error);
      this.isFailing = true;
    }
  }

  private async read(): Promise<void> {
    // By the time that passed: a token that a leap of the clock ends is live again when it is right.
    const oldest = this.clock.longAgo(KEPT_MS);
    const rows = await revocationsSince(this.database, this.horizon, oldest);
    for (const row of rows) if (isRevocation(row)) this.remember(row);
    this.horizon = rows[0]?.horizon ?? this.horizon;
    forget(this.families, (atMs) => atMs < oldest.getTime());
    forget(this.versions, ({ atMs }) => atMs < oldest.getTime());
  }

  private remember({ clientId, familyId, belowVersion, revokedAt }: Revocation): void {
    const atMs = revokedAt.getTime();
    if (familyId !== null) this.families.set(familyId, atMs);
    const known = this.versions.get(clientId)?.below ?? 0;
    if (belowVersion === null || belowVersion <= known) return;
    this.versions.delete(clientId);
    this.versions.set(clientId, { below: belowVersion, atMs });
  }
}

function isRevocation(row: RevocationRow): row is RevocationRow & Revocation {
  return row.clientId != null;
}

/** The oldest stand first. */
function forget<Value>(map: Map<Uuid, Value>, isOver: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (!isOver(value)) return;
    map.delete(key);
  }
}
