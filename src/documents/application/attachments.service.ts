import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AttachedType } from '../../kernel/attachment-limits.js';
import { IdGenerator, type PublicId, publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { assertContent } from '../domain/attachments/attached-types.js';
import {
  type AttachedFile,
  type AttachedLink,
  assertNamed,
  type Attachment,
  isFile,
  withAttachment,
  withoutAttachment,
} from '../domain/attachments/attachment.js';
import { changesBetween } from '../domain/changes.js';
import type { Document } from '../domain/document.js';
import type { DocumentContent } from '../domain/document-view.js';
import { documentNotFound } from '../domain/document-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { AttachmentFiles } from '../infrastructure/attachment-files.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import {
  type AskedStep,
  DocumentTransactions,
  type LockedDocument,
} from './document-transactions.js';
import { DocumentWriter } from './document-writer.js';

type Said<One extends Attachment> = Pick<One, 'name' | 'description' | 'reference'>;

interface Upload extends Said<AttachedFile> {
  type: AttachedType;
  content: Buffer;
}

/** An attachment, and the document that it is of, as both are after a step. */
export interface Attaching {
  attachment: Attachment;
  documentId: PublicId;
}

/** A file as it is sent to somebody. */
export interface SentAttachment extends AttachedFile {
  content: Buffer;
}

/** Supporting documents: added to drafts and taken from them, and frozen with the document. */
@Injectable()
export class Attachments {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly query: DocumentsQuery,
    private readonly writer: DocumentWriter,
    private readonly files: AttachmentFiles,
    private readonly ids: IdGenerator,
  ) {}

  /** @throws DomainError `invalid_attachment`, `attachment_name_differs`, and as `withAttachment` */
  async addFile(asked: AskedStep<Attaching>, upload: Upload): Promise<Attaching> {
    const { type, content, ...said } = upload;
    assertNamed(said.name, type);
    assertContent(content, type);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = { id: this.nextId(), ...said, media_type: type, size: content.length, sha256 };
    const kept = await this.keptOf(asked, sha256, content);
    return this.add(asked, file, (tx, document) =>
      this.files.insert(tx, document.state, sha256, kept),
    );
  }

  async addLink(asked: AskedStep<Attaching>, said: Omit<AttachedLink, 'id'>): Promise<Attaching> {
    return this.add(asked, { id: this.nextId(), ...said });
  }

  /** @throws DomainError `attachment_not_found`, `document_not_draft` */
  async remove(asked: AskedStep<object>, id: PublicId): Promise<object> {
    return this.transactions.step(asked, async (tx, locked) => {
      locked.document.assertMay('edit');
      const { attachments = [] } = locked.content.details;
      const { gone, at, others } = withoutAttachment(attachments, id);
      this.change(tx, locked, asked, others, { at, from: gone });
      if (isFile(gone)) this.files.delete(tx, locked.document.state, gone.sha256);
      return {};
    });
  }

  async of(accountId: Uuid, documentId: Uuid): Promise<readonly Attachment[]> {
    const view = await this.query.find(accountId, documentId);
    if (!view) throw documentNotFound();
    return view.details.attachments ?? [];
  }

  async find(accountId: Uuid, documentId: Uuid, id: PublicId): Promise<Attachment> {
    const found = (await this.of(accountId, documentId)).find((one) => one.id === id);
    if (!found) throw DocumentRefusal.attachment_not_found.of();
    return found;
  }

  /** @throws DomainError `attachment_not_found`, `attachment_not_a_file` */
  async file(accountId: Uuid, documentId: Uuid, id: PublicId): Promise<SentAttachment> {
    const found = await this.find(accountId, documentId, id);
    if (!isFile(found)) throw DocumentRefusal.attachment_not_a_file.of();
    return this.read(accountId, documentId, found);
  }

  /** All files of a document that was read, in its order. */
  async filesOf(
    accountId: Uuid,
    documentId: Uuid,
    { details }: Pick<DocumentContent, 'details'>,
  ): Promise<SentAttachment[]> {
    const files = (details.attachments ?? []).filter(isFile);
    return Promise.all(files.map((file) => this.read(accountId, documentId, file)));
  }

  /** @returns the content of a document that is made of another one, with files of its own */
  copied(tx: Tx, from: Document, to: Document, content: DocumentContent): DocumentContent {
    const { attachments, ...details } = content.details;
    if (!attachments) return content;
    this.files.copy(tx, from.state, to.state);
    const copies = attachments.map((one) => ({ ...one, id: this.nextId() }));
    return { ...content, details: { ...details, attachments: copies } };
  }

  /** Nothing is put into the store for what the transaction will refuse. */
  private async keptOf({ by, id }: AskedStep<object>, sha256: string, content: Buffer) {
    if (!this.files.areElsewhere) return content;
    const view = await this.query.find(by.accountId, id);
    return view?.status === 'draft' ? this.files.keep(by.accountId, sha256, content) : content;
  }

  private async add(
    asked: AskedStep<Attaching>,
    attachment: Attachment,
    write: (tx: Tx, document: Document) => void = () => undefined,
  ): Promise<Attaching> {
    return this.transactions.step(asked, async (tx, locked) => {
      locked.document.assertMay('edit');
      const { attachments = [] } = locked.content.details;
      const all = withAttachment(attachments, attachment);
      this.change(tx, locked, asked, all, { at: attachments.length, to: attachment });
      write(tx, locked.document);
      return { attachment, documentId: publicId('doc', asked.id) };
    });
  }

  /** History tells of the one that came or went, and not of those that moved up. */
  private change(
    tx: Tx,
    { document, content }: LockedDocument,
    { by }: Pick<AskedStep, 'by'>,
    attachments: Attachment[],
    { at, from, to }: { at: number; from?: Attachment; to?: Attachment },
  ): void {
    const shown = (one: Attachment | undefined) => ({ attachments: { [at]: one } });
    document.label(changesBetween(shown(from), shown(to)));
    const { attachments: _before, ...details } = content.details;
    const changed = attachments.length === 0 ? details : { ...details, attachments };
    this.writer.saveDraft(tx, document, { ...content, details: changed }, by.actor);
  }

  private async read(
    accountId: Uuid,
    documentId: Uuid,
    file: AttachedFile,
  ): Promise<SentAttachment> {
    const content = await this.files.find({ accountId, id: documentId }, file.sha256);
    // A draft may lose it, or be deleted, in between.
    if (!content) throw DocumentRefusal.attachment_not_found.of();
    return { ...file, content };
  }

  private nextId(): PublicId {
    return publicId('att', this.ids.next());
  }
}
