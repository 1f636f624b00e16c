import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { NO_ACCOUNT, publicId, uuidOf } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { authenticated, type ApiClient } from '../domain/api-client.js';
import { ApiClientRepository } from '../infrastructure/api-client.repository.js';
import { ApiClientUse } from './api-client-use.js';
import { RefusalLog } from './refusal-log.js';

/** The proof that a client sends of who it is. */
export interface Credentials {
  id: string;
  secret: string;
}

/** Transactions of a client that names itself by its secret (RFC 6749 2.3). */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clients: ApiClientRepository,
    private readonly use: ApiClientUse,
    private readonly refusals: RefusalLog,
    private readonly clock: Clock,
  ) {}

  async run<Result>(
    credentials: Credentials,
    from: RequestOrigin,
    work: (tx: Tx, client: ApiClient) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.uow.run(async (tx) => work(tx, await this.authenticate(tx, credentials, from)));
  }

  private async authenticate(
    tx: Tx,
    { id, secret }: Credentials,
    from: RequestOrigin,
  ): Promise<ApiClient> {
    const known = await this.clients.find(tx, uuidOf('cli', id) ?? tx.newId());
    try {
      const client = authenticated(known, secret, from.address, this.clock.serverNow());
      this.use.note(client.clientId);
      return client;
    } catch (error) {
      this.refusals.note({
        action: 'login.failed',
        accountId: known?.accountId ?? NO_ACCOUNT,
        subject: known ? publicId('cli', known.clientId) : null,
        ...from,
      });
      throw error;
    }
  }
}
