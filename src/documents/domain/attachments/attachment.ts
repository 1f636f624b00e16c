import { type AttachedType, ATTACHMENT_LIMITS } from '../../../kernel/attachment-limits.js';
import type { PublicId } from '../../../kernel/ids.js';
import { DocumentRefusal } from '../refusals.js';
import { typeOfName } from './attached-types.js';

interface Attached {
  id: PublicId;
  /** Of a file, with its ending (BT-125-2). No two of a document have the same. */
  name: string;
  /** BT-123. */
  description?: string;
  /** BT-122; without it, the name is. */
  reference?: string;
}

export interface AttachedFile extends Attached {
  media_type: AttachedType;
  size: number;
  /** Of its bytes, hexadecimal. */
  sha256: string;
}

export interface AttachedLink extends Attached {
  /** BT-124. */
  url: string;
}

/**
 * A supporting document (EN 16931 BG-24), as the details of its document have it: by the names of
 * the API. The bytes of files are apart.
 */
export type Attachment = AttachedFile | AttachedLink;

export const isFile = (one: Attachment): one is AttachedFile => 'sha256' in one;

const folded = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * @throws DomainError `too_many_attachments`, `attachments_too_large`, `attachment_name_taken`,
 *   `attached_already`
 */
export function withAttachment(there: readonly Attachment[], one: Attachment): Attachment[] {
  const { ofDocument, documentBytes } = ATTACHMENT_LIMITS;
  if (there.length >= ofDocument) throw DocumentRefusal.too_many_attachments.of();
  // Those who save both to one folder would lose the first: BR-DE-22 wants it, too.
  const isTaken = there.some(({ name }) => folded(name) === folded(one.name));
  if (isTaken) throw DocumentRefusal.attachment_name_taken.of();
  const files = there.filter(isFile);
  const same = isFile(one) && files.find(({ sha256 }) => sha256 === one.sha256);
  if (same) {
    throw DocumentRefusal.attached_already.of(
      `The document has this file already, as ${same.name}.`,
    );
  }
  const all = [...there, one];
  const bytes = all.filter(isFile).reduce((sum, { size }) => sum + size, 0);
  if (bytes > documentBytes) throw DocumentRefusal.attachments_too_large.of();
  return all;
}

/** @throws DomainError `attachment_not_found` */
export function withoutAttachment(there: readonly Attachment[], id: PublicId) {
  const at = there.findIndex((one) => one.id === id);
  const gone = there[at];
  if (!gone) throw DocumentRefusal.attachment_not_found.of();
  return { gone, at, others: there.filter((one) => one !== gone) };
}

const NO_FILE_NAME = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|^[. ]|[. ]$/u;

/**
 * A name that each system takes for a file. It parts no folders. It turns no letters, by which
 * `fdp.exe` would be shown as `exe.pdf`.
 */
export const isFileName = (name: string): boolean => !NO_FILE_NAME.test(name);

/** @throws DomainError `attachment_name_differs` */
export function assertNamed(name: string, type: AttachedType): void {
  if (typeOfName(name) === type) return;
  throw DocumentRefusal.attachment_name_differs.of(
    `name must end as files of the type ${type} do.`,
  );
}
