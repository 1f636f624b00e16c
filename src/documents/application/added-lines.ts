import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { LineRequest } from '../domain/calculation/calculation-request.js';
import type { NewDocument } from '../domain/drafts/draft-request.js';

/** Lines of other modules for an invoice that is made. */
export interface AddedLinesOf {
  lines: LineRequest[];
  /** They are on that document now. */
  taken(documentId: Uuid): void;
}

type LineSource = (
  tx: Tx,
  account: AccountRow,
  request: NewDocument,
  replaced: Uuid | null,
) => Promise<AddedLinesOf | null>;

/** Lines that wait for the next invoice of a customer. A module to the right has them. */
@Injectable()
export class AddedLines {
  private source: LineSource | undefined;

  from(source: LineSource): void {
    this.source = source;
  }

  /** @param replaced the draft that is written anew: what was added to it is added again */
  async to(
    tx: Tx,
    account: AccountRow,
    request: NewDocument,
    replaced: Uuid | null,
  ): Promise<{ request: NewDocument; taken(documentId: Uuid): void }> {
    const isElsewhere = request.number !== null;
    const added =
      this.source && request.kind === 'invoice' && request.customerId && !isElsewhere
        ? await this.source(tx, account, request, replaced)
        : null;
    if (!added) return { request, taken: () => undefined };
    return {
      request: { ...request, lines: [...request.lines, ...added.lines] },
      taken: added.taken,
    };
  }
}
