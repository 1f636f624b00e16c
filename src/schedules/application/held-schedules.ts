import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { HeldWork } from '../../platform/held-work.js';
import { DueSchedulesQuery } from '../infrastructure/due-schedules.query.js';

/** Schedules that wait for the operator's word, since a backup was restored. */
@Injectable()
export class HeldSchedules {
  constructor(
    private readonly query: DueSchedulesQuery,
    private readonly work: HeldWork,
    private readonly clock: Clock,
  ) {}

  /** Reminders wait with them, which would repeat what was sent since. */
  async areHeld(): Promise<boolean> {
    return this.work.isHeld('schedules');
  }

  /** @returns whether they wait, and how many would make a document now */
  async survey(): Promise<{ held: boolean; due: number }> {
    const held = await this.areHeld();
    return { held, due: await this.query.count(this.clock.serverNow()) };
  }

  /** They go on. Documents that were made after the backup are made again. */
  async release(): Promise<void> {
    await this.work.release('schedules');
  }
}
