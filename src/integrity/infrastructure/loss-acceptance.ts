import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../platform/database/database.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { Loss } from '../domain/loss.js';
import { lostHeads } from './last-heads.js';
import { Losses } from './losses.js';
import { SealHeadsFile } from './seal-heads-file.js';

/** The word of a person after a loss: it is known, and sealing goes on with what is there. */
@Injectable()
export class LossAcceptance {
  constructor(
    private readonly losses: Losses,
    private readonly file: SealHeadsFile,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns what was accepted */
  async accept(): Promise<Loss[]> {
    const open = await this.losses.open();
    const lost = await this.lostOfFile();
    if (open.length + lost.length === 0) return [];
    await this.file.acceptLoss(lost, this.clock.serverNow());
    await this.losses.accept();
    return open;
  }

  /** Of all of it: integrity compares each line. */
  private async lostOfFile(): Promise<KeptSeal[]> {
    const accepted = await this.file.accepted();
    const lost: KeptSeal[] = [];
    for await (const kept of this.file.kept(null)) {
      const open = kept.filter(({ digest }) => !accepted.has(digest));
      lost.push(
        ...(await lostHeads(open, async (text, values) => this.database.query(text, values))),
      );
    }
    return lost;
  }
}
