import { z } from 'zod';
import { ATTACHED_TYPES, ATTACHMENT_LIMITS } from '../../kernel/attachment-limits.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { secureAddress } from '../../platform/http/validation/standard-fields.js';
import { matching, shortText } from '../../platform/http/validation/text-fields.js';
import { lengthOf } from '../../platform/http/validation/text-length.js';
import { wholeList } from '../../platform/http/paging.js';
import type { Attaching } from '../application/attachments.service.js';
import { isFileName } from '../domain/attachments/attachment.js';
import { DocumentRefusal } from '../domain/refusals.js';

nameWords({ AttachedType: ATTACHED_TYPES });

const LONGEST_NAME = 150;

const fileName = (options: { example: string; description: string }) =>
  matching(
    {
      refusal: DocumentRefusal.invalid_file_name,
      test: (text) => text !== '' && lengthOf(text) <= LONGEST_NAME && isFileName(text),
      message: `must be the name of a file, of 1 to ${LONGEST_NAME} characters, without / \\ : * ? " < > | and signs that turn the direction of text`,
    },
    { ...options, schema: { minLength: 1, maxLength: LONGEST_NAME } },
  );

const words = () => ({
  description: shortText({
    max: 200,
    optional: true,
    example: 'Time sheet',
    description:
      'What it is (BT-123). In the French profiles it is one of their codes, such as BON_LIVRAISON; ' +
      'they get DOCUMENT_ANNEXE in place of other words.',
  }),
  reference: shortText({
    max: 100,
    optional: true,
    example: 'TS-2026-11',
    description: 'By which it is referred to (BT-122). Default: its name.',
  }),
});

export const AttachFileQuery = queryShape({
  name: fileName({
    example: 'time-sheet.pdf',
    description: 'The name of the file, with the ending of its type (BT-125).',
  }),
  ...words(),
});
export type AttachFileQuery = z.output<typeof AttachFileQuery>;

export const AttachLinkRequest = requestShape('AttachLinkRequest', {
  url: secureAddress({
    max: 1000,
    example: 'https://acme.example/terms.pdf',
    description: 'Where it is, with https (BT-124). Nobody fetches it on your behalf.',
  }),
  name: fileName({ example: 'Terms of delivery', description: 'What clients read.' }),
  ...words(),
});
export type AttachLinkRequest = z.output<typeof AttachLinkRequest>;

/** One in an answer, as the details of a document have it. */
export const AttachmentBody = answerShape('AttachmentBody', {
  id: z.string().meta({ example: 'att_01h455vb4pex5vsknk084sn02q' }),
  name: z.string().meta({ example: 'time-sheet.pdf', description: 'BT-125.' }),
  description: z.string().optional().describe('BT-123.'),
  reference: z.string().optional().describe('BT-122; without it, the name is.'),
  media_type: z
    .enum(ATTACHED_TYPES)
    .optional()
    .describe('Of a file: its type, by its content (BT-125).'),
  size: z
    .number()
    .optional()
    .meta({
      example: 48_213,
      description: `Of a file: its bytes, at most ${ATTACHMENT_LIMITS.fileBytes}.`,
    }),
  sha256: z.string().optional().describe('Of a file: the SHA-256 of its bytes, hexadecimal.'),
  url: z.string().optional().describe('Of a link: where it is (BT-124).'),
});
export type AttachmentBody = z.output<typeof AttachmentBody>;

/** As it was just added. */
export const AttachedBody = answerShape('AttachedBody', {
  ...AttachmentBody.shape,
  document_id: z.string().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
});
export type AttachedBody = z.output<typeof AttachedBody>;

export const AttachmentList = wholeList('AttachmentList', AttachmentBody);
export type AttachmentList = z.output<typeof AttachmentList>;

export const presentAttaching = ({ attachment, documentId }: Attaching): AttachedBody => ({
  ...attachment,
  document_id: documentId,
});
