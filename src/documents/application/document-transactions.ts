import { Injectable } from '@nestjs/common';
import type { By } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { documentNotFound } from '../domain/document-refusals.js';
import type { Document } from '../domain/document.js';
import type { DocumentView } from '../domain/document-view.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { DocumentWriter } from './document-writer.js';
import { assertFree } from './external-ids.js';

/** A step of a document, as it is asked for: by whom, and in which version it was seen. */
export interface AskedStep<Result = DocumentView> {
  by: By;
  id: Uuid;
  expected: ExpectedVersions;
  guard?: CommitGuard<Result> | undefined;
}

/** A document and the one it came from, locked, with what is beside its state. */
export type LockedDocument = Awaited<ReturnType<DocumentTransactions['load']>>;

/** The frame of each step: a document is locked, as its caller knows it, and then decided on (decision 236). */
@Injectable()
export class DocumentTransactions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: DocumentRepository,
    private readonly query: DocumentsQuery,
    private readonly writer: DocumentWriter,
  ) {}

  /** @throws DomainError `document_not_found`, `version_mismatch`, and those of `decide` */
  async step<Result = DocumentView>(
    { by, id, expected, guard }: AskedStep<Result>,
    decide: (tx: Tx, locked: LockedDocument) => Promise<Result>,
  ): Promise<Result> {
    return this.uow.run(
      async (tx) => decide(tx, await this.load(tx, by.accountId, id, expected)),
      guard,
    );
  }

  /** For a document that is not there yet. @throws DomainError `external_id_taken` */
  async first(
    { accountId }: By,
    externalId: string | null,
    guard: CommitGuard<DocumentView> | undefined,
    make: (tx: Tx) => Promise<DocumentView>,
  ): Promise<DocumentView> {
    return this.uow.run(async (tx) => {
      await assertFree('document', this.repository, tx, accountId, externalId);
      return make(tx);
    }, guard);
  }

  /** For one that may be there, under the caller's own id. */
  async named<Result>(
    { accountId }: By,
    externalId: string,
    guard: CommitGuard<Result> | undefined,
    decide: (tx: Tx, id: Uuid | undefined) => Promise<Result>,
  ): Promise<Result> {
    return this.uow.run(async (tx) => {
      const id = await this.repository.findByExternalIdForUpdate(tx, accountId, externalId);
      return decide(tx, id);
    }, guard);
  }

  /** Without what is beside the state. */
  async bare(
    { by, id, expected, guard }: AskedStep<void>,
    decide: (tx: Tx, locked: Pick<LockedDocument, 'document' | 'origin'>) => void,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const locked = await this.repository.getWithOriginForUpdate(tx, by.accountId, id);
      locked.document.assertVersion(expected);
      decide(tx, locked);
    }, guard);
  }

  /** The client's answer, who knows no version. */
  async answer({ accountId, actor }: By, id: Uuid, decide: (document: Document) => void) {
    await this.uow.run(async (tx) => {
      const document = await this.repository.getForUpdate(tx, accountId, id);
      decide(document);
      this.writer.save(tx, document, actor);
    });
  }

  /** The same as `step` within a transaction. */
  async load(tx: Tx, accountId: Uuid, id: Uuid, expected: ExpectedVersions) {
    const [locked, loaded] = await Promise.all([
      this.repository.getWithOriginForUpdate(tx, accountId, id),
      this.query.content(tx, accountId, id),
    ]);
    if (!loaded) throw documentNotFound();
    locked.document.assertVersion(expected);
    return { ...locked, ...loaded };
  }
}
