/** Every bound of supporting documents: bodies, documents, letters and the database have no other. */
export const ATTACHMENT_LIMITS = {
  /** Files and links of one document. */
  ofDocument: 20,
  /** The largest file. */
  fileBytes: 5_242_880,
  /** All files of one document. */
  documentBytes: 10_485_760,
  /** A letter with its PDF; Base64 makes a third more of them, and mail servers take 10 MB and up. */
  letterBytes: 7_340_032,
} as const;

/** Media types that EN 16931 takes (BR-CL-24). */
export const ATTACHED_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
] as const;
export type AttachedType = (typeof ATTACHED_TYPES)[number];
