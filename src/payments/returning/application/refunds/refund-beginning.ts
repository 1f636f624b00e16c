import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../../books/index.js';
import { DocumentRepository } from '../../../../documents/index.js';
import { assertHappened } from '../../../../kernel/fact-dates.js';
import type { RequestIdentity, Tx } from '../../../../platform/database/tx.js';
import { datedByGateway, type Refund, withRefund } from '../../domain/refund.js';
import { assertMeant } from '../../domain/refunds/refund-meaning.js';
import { RefundKeys } from './refund-keys.js';
import { RefundMeanings } from './refund-meanings.js';
import { type Planned, RefundPlanning, type RequestRefund } from './refund-planning.js';
import type { SeenRefund } from './locked-refunds.js';
import { RefundWriter } from './refund-writer.js';

/** The first transaction of a refund that somebody asks for: by hand it is also the last. */
@Injectable()
export class RefundBeginning {
  constructor(
    private readonly planning: RefundPlanning,
    private readonly keys: RefundKeys,
    private readonly meanings: RefundMeanings,
    private readonly documents: DocumentRepository,
    private readonly writer: RefundWriter,
  ) {}

  /** @throws DomainError as `Refunds.request` */
  async begin(
    tx: Tx,
    command: RequestRefund,
    request: RequestIdentity | undefined,
  ): Promise<SeenRefund & { isNew: boolean }> {
    const { accountId } = command;
    const id = tx.newId();
    const known = request && (await this.keys.knownBy(tx, accountId, request, id));
    if (known) return { refund: known, holding: null, receipt: null, isNew: false };
    const now = tx.now();
    const planned = await this.planning.plan(tx, command);
    const { plan, documents, holding, receipt } = planned;
    const isByHand = plan.gateway === null;
    const { refundedAt } = command;
    if (refundedAt && !isByHand) throw datedByGateway(plan.gateway);
    const cameAt = holding?.payment.paidAt ?? receipt?.paidAt ?? now;
    assertHappened('refunded_at', refundedAt, now, { at: cameAt, name: 'when it was paid' });
    const meaning = await this.meaningOf(tx, command, planned);
    const bookedOn = await laterDay(tx, accountId, refundedAt, now);
    const asked: Refund = {
      ...plan,
      id,
      accountId,
      status: isByHand ? 'succeeded' : 'pending',
      providerRefundId: null,
      failure: null,
      reference: command.reference,
      reason: command.reason,
      clientId: command.clientId,
      requestedAt: now,
      settledAt: isByHand ? (refundedAt ?? now) : null,
      bookedOn,
      attempts: 0,
      nextLookAt: null,
      undoing: null,
      meaning,
      notes: [],
    };
    const refund = isByHand
      ? await this.writer.record(tx, asked, documents)
      : this.writer.setAside(tx, asked);
    return {
      refund,
      holding: holding && withRefund(holding, refund, 1n),
      receipt: receipt && {
        ...receipt,
        settled: receipt.settled.plus(refund.amount),
        refunded: isByHand ? receipt.refunded.plus(refund.amount) : receipt.refunded,
      },
      bookedOn,
      isNew: true,
    };
  }

  /** Credit notes that cannot be made are refused before any money goes. */
  private async meaningOf(
    tx: Tx,
    { accountId, clientId, meaning: said }: RequestRefund,
    { plan, documents }: Planned,
  ): Promise<Refund['meaning']> {
    assertMeant(plan, said, plan.gateway);
    const meaning = await this.meanings.meantBy(tx, accountId, plan, said, clientId);
    if (meaning?.name !== 'lowers_document') return meaning;
    // A refund that only sets money aside, of a place that is named, has locked none.
    const ids = plan.parts.map(({ documentId }) => documentId);
    const locked =
      documents.length > 0
        ? documents
        : await this.documents.findForUpdate(tx, accountId, ids.toSorted());
    await this.meanings.assertCreditable(tx, meaning, plan.parts, locked);
    return meaning;
  }
}
