import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { Loss } from '../domain/loss.js';
import { LossesRepository } from '../infrastructure/losses.repository.js';
import { SealHeadsFile } from '../infrastructure/heads-file.repository.js';

/** The word of a person after a loss: it is known, and sealing goes on with what is there. */
@Injectable()
export class LossAcceptance {
  constructor(
    private readonly losses: LossesRepository,
    private readonly file: SealHeadsFile,
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
    const lost: KeptSeal[] = [];
    for await (const heads of this.losses.lostOfFile(null)) lost.push(...heads);
    return lost;
  }
}
