import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../../auth/index.js';
import { Clock, daysAfter } from '../../kernel/clock.js';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Keyring } from '../../platform/keyring.js';
import { insertPortalToken } from '../infrastructure/portal-token.repository.js';

/** Links to documents that can be written again, in each try of a message for instance. */
@Injectable()
export class StandingPortalLinks {
  private readonly keys: Keyring;

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.keys = Keyring.derived(config.secrets, 'portal links of messages');
  }

  /**
   * The link for one purpose, such as a message: whoever asks again gets the same one, as long as
   * the secret is the same. Nothing stored can tell it.
   */
  async of(accountId: Uuid, documentId: Uuid, purpose: string): Promise<string> {
    const token = createHmac('sha256', this.keys.newest.key).update(purpose).digest('base64url');
    const now = this.clock.now();
    await insertPortalToken(this.database, {
      sha256: sha256(token),
      portalTokenId: this.ids.next(),
      accountId,
      documentId,
      createdAt: now,
      expiresAt: daysAfter(now, this.config.portalTokenDays),
    });
    return `${this.config.baseUrl}/v1/portal/${token}`;
  }
}
