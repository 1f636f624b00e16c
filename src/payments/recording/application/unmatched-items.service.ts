import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import {
  assertOtherStatus,
  type UnmatchedItem,
  type UnmatchedItemStatus,
} from '../domain/unmatched-item.js';
import { UnmatchedItemRepository } from '../infrastructure/unmatched-item.repository.js';

/** Money that moved at a provider and is in no books, until a person has seen to it. */
@Injectable()
export class UnmatchedItems {
  constructor(
    private readonly audited: AuditedWork,
    private readonly items: UnmatchedItemRepository,
  ) {}

  /** Marks an item as done, or opens it again. */
  async mark(
    by: By,
    clientId: Uuid,
    id: Uuid,
    { status, reason }: { status: UnmatchedItemStatus; reason: string },
    guard?: CommitGuard<UnmatchedItem>,
  ): Promise<UnmatchedItem> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const item = await this.items.getForUpdate(tx, by.accountId, id);
      assertOtherStatus(item, status);
      this.items.insertStep(tx, item, { status, reason, clientId, at: tx.now() });
      record({
        action: status === 'closed' ? 'unmatched_item.closed' : 'unmatched_item.reopened',
        subject: publicId('item', id),
        before: { status: item.status, reason: item.reason },
        after: { status, reason },
      });
      return { ...item, status, reason, steps: item.steps + 1 };
    });
  }
}
