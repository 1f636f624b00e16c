import { Injectable } from '@nestjs/common';
import { type KeptErasure, SealHeadsFile } from '../../integrity/index.js';
import type { Actor } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { ReturnedCustomersQuery } from '../infrastructure/returned-customers.query.js';
import { Erasures } from './erasures.service.js';

/** One who is still there, and why. */
interface StillThere extends KeptErasure {
  reason: string;
}

export interface RepeatedErasures {
  erased: KeptErasure[];
  refused: StillThere[];
}

/**
 * Customers who were erased after the backup that was restored. The file of heads, outside of the
 * database, knows them.
 */
@Injectable()
export class LostErasures {
  constructor(
    private readonly file: SealHeadsFile,
    private readonly returned: ReturnedCustomersQuery,
    private readonly erasures: Erasures,
  ) {}

  /** Null: there is no file that would know. */
  get knownFrom(): string | null {
    return this.file.path;
  }

  async list(): Promise<KeptErasure[]> {
    const erased: KeptErasure[] = [];
    for await (const erasure of this.file.erasures()) erased.push(erasure);
    return this.returned.among(erased);
  }

  /** Each in a transaction of its own: what is still open of one keeps no other. */
  async repeat(actor: Actor): Promise<RepeatedErasures> {
    const done: RepeatedErasures = { erased: [], refused: [] };
    for (const lost of await this.list()) {
      try {
        const { accountId, customerId } = lost;
        await this.erasures.erase({ accountId, actor, origin: null }, customerId);
        done.erased.push(lost);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        done.refused.push({ ...lost, reason: error.message });
      }
    }
    return done;
  }
}
