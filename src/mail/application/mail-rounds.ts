import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MailFactsRepository } from '../infrastructure/mail-facts.repository.js';

/** Days are looked for as often, so that there is time to make up for what a stop has missed. */
const EVERY_MS = 600_000;
const ROUNDS = ['reminders', 'quotes', 'statements'] as const;

/** Looks for messages whose day has come. One process at a time does. */
@Injectable()
export class MailRounds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly facts: MailFactsRepository,
    private readonly dueWork: DueWork,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.serverNow();
    const before = new Date(now.getTime() - EVERY_MS);
    const isTime = await this.uow.run((tx) => this.facts.beginReminding(tx, now, before));
    if (!isTime) return;
    for (const round of ROUNDS) await this.dueWork.ofAll(round);
  }
}
