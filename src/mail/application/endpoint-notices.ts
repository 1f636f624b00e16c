import { Injectable } from '@nestjs/common';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { shownAddress } from '../domain/disabled-endpoint.js';
import { MailSender } from '../domain/mail-sender.js';
import { type MailedFact, MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
import { MessageOutcomes } from './message-outcomes.js';

interface NamedEndpoint {
  accountId: Uuid;
  id: Uuid;
}

/** URLs of endpoints, by their ids, without those that were deleted. */
type FindUrls = (tx: Tx, of: readonly NamedEndpoint[]) => Promise<ReadonlyMap<Uuid, string>>;

/**
 * Tells the seller of endpoints that ended by themselves, whatever the settings say. Events are kept
 * for ever, and do not say where an endpoint is.
 */
@Injectable()
export class EndpointNotices {
  private findUrls: FindUrls = async () => new Map();

  constructor(
    private readonly facts: MailFactsRepository,
    private readonly messages: MessageOutcomes,
    private readonly sender: MailSender,
  ) {}

  /** The module of endpoints stands on this one, and says where they are. */
  findBy(findUrls: FindUrls): void {
    this.findUrls = findUrls;
  }

  async queue(tx: Tx, facts: readonly MailedFact[]): Promise<void> {
    const ended = facts.flatMap(endedOf);
    if (ended.length === 0 || !this.sender.isConfigured) return;
    const urls = await this.findUrls(tx, ended);
    const sellers = await this.facts.sellerAddresses(
      tx,
      ended.map(({ accountId }) => accountId),
    );
    for (const { accountId, id, fact, told } of ended) {
      const url = urls.get(id);
      if (url === undefined) continue;
      await this.messages.begin(tx, sellers.get(accountId) ?? null, {
        accountId,
        documentId: null,
        kind: 'endpoint_disabled',
        fact,
        change: { ...told, address: shownAddress(url) },
      });
    }
  }
}

function endedOf({ accountId, eventId, data }: MailedFact) {
  if (!('webhook_endpoint' in data) || data.reason === 'asked') return [];
  const { webhook_endpoint: endpoint, reason, failing_since: failingSince, undelivered } = data;
  return {
    accountId,
    id: uuidOf('whep', endpoint.id) ?? '',
    fact: `event:${publicId('evt', eventId)}`,
    told: { endpoint: endpoint.id, reason, failingSince, undelivered },
  };
}
