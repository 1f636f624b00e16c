import { Injectable } from '@nestjs/common';
import { type Document, DocumentWriter } from '../../../../documents/index.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Dispute, DisputeStep } from '../../domain/dispute.js';
import { presentDispute } from '../../wire/dispute.js';
import { changesOf, type DisputedPart, partsOfDisputes } from '../../domain/disputed-parts.js';
import { type Holding, undisputed } from '../../../recording/domain/holding.js';
import { DisputeRepository } from '../../infrastructure/dispute.repository.js';
import { ReversalPlanning } from '../reversal-planning.js';

/** A payment as if nothing of it was disputed, and what is. */
export interface Lifted {
  holding: Holding;
  disputes: readonly { dispute: Dispute; parts: readonly DisputedPart[] }[];
}

interface LockedDocuments {
  locked: readonly Document[];
  /** Those that the caller saves. */
  saved: readonly Uuid[];
}

interface ReplacedDispute {
  dispute: Dispute;
  changes: readonly DisputedPart[];
}

/**
 * Disputes come last: what went back, and what a provider took, has its place on documents first, in
 * whatever order it was told. So whoever takes something lifts disputes before, and places them again
 * on what is left.
 */
@Injectable()
export class DisputedDocuments {
  constructor(
    private readonly disputes: DisputeRepository,
    private readonly planning: ReversalPlanning,
    private readonly documents: DocumentWriter,
  ) {}

  /** @param holding locked */
  async lift(tx: Tx, holding: Holding): Promise<Lifted> {
    if (!holding.disputed.isPositive()) return { holding, disputes: [] };
    const disputes = await this.disputes.ofPayment(tx, holding.payment);
    return {
      holding: undisputed(
        holding,
        disputes.flatMap(({ parts }) => parts),
      ),
      disputes,
    };
  }

  /**
   * @param after the payment as if nothing was disputed, once all is taken
   * @param of documents that are locked, and those of them that the caller saves
   */
  place(
    tx: Tx,
    lifted: Lifted,
    after: Holding,
    newestFirst: readonly Uuid[],
    of: LockedDocuments,
  ): void {
    this.write(tx, placesOf(lifted, after, newestFirst, null).others, of);
  }

  /** After money came back that a dispute may hold, too. @returns whether anything changed */
  async placeAgain(tx: Tx, { payment, disputed }: Holding): Promise<void> {
    if (!disputed.isPositive()) return;
    await tx.flush();
    const { accountId, id } = payment;
    const { holding, newestFirst, documents } = await this.planning.lock(tx, accountId, id, []);
    const lifted = await this.lift(tx, holding);
    this.place(tx, lifted, lifted.holding, newestFirst, { locked: documents, saved: [] });
  }

  /** The disputes stand as before; only their places change. */
  write(tx: Tx, replaced: readonly ReplacedDispute[], { locked, saved }: LockedDocuments): void {
    for (const { dispute, changes } of replaced) {
      const recordedAt = tx.now();
      const step = { ...standing(dispute), step: dispute.steps + 1, recordedAt, bookedOn: null };
      this.disputes.insertStep(tx, dispute, step, changes);
      const actor = { type: 'gateway' as const, id: dispute.gateway };
      const data = { dispute: presentDispute(dispute) };
      for (const { documentId, amount } of changes) {
        const document = locked.find(({ state }) => state.id === documentId);
        if (!document) throw new Error(`document ${documentId} of a dispute is not locked`);
        document.held.dispute(amount);
        if (saved.includes(documentId)) continue;
        this.documents.save(tx, document, actor, [{ type: 'dispute.updated', data }]);
      }
    }
  }
}

/**
 * Places disputes on what is left of a payment.
 * @param own the dispute that changes, with what it holds then
 */
export function placesOf(
  { disputes }: Lifted,
  after: Holding,
  newestFirst: readonly Uuid[],
  own: { id: Uuid; disputed: Money } | null,
): { own: DisputedPart[]; others: ReplacedDispute[] } {
  const known = disputes.some(({ dispute }) => dispute.id === own?.id);
  const all = [
    ...disputes.map(({ dispute, parts }) => ({ id: dispute.id, dispute, parts })),
    ...(own && !known ? [{ id: own.id, dispute: null, parts: [] }] : []),
  ];
  const amounts = all.map(({ id, dispute }) =>
    id === own?.id ? own.disputed : (dispute?.disputed ?? Money.zero(after.rest.currency)),
  );
  const next = partsOfDisputes(after, newestFirst, amounts);
  const changed = all.map(({ id, dispute, parts }, index) => {
    return { id, dispute, changes: changesOf(parts, next[index] ?? []) };
  });
  return {
    own: changed.find(({ id }) => id === own?.id)?.changes ?? [],
    others: changed.flatMap(({ id, dispute, changes }) =>
      dispute && id !== own?.id && changes.length > 0 ? [{ dispute, changes }] : [],
    ),
  };
}

function standing({ status, amount, reason, evidenceDueBy, saidAt }: Dispute): DisputeStep {
  const none = Money.zero(amount.currency);
  const same = { status, amount, reason, evidenceDueBy, at: saidAt, reference: null };
  const moved = { disputed: none, withdrawn: none, adopted: none, adoptedLost: none };
  return { ...same, ...moved, taken: none, fee: none };
}
