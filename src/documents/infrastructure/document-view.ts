import { publicId, type Uuid } from '../../kernel/ids.js';
import { ACTIONS } from '../domain/available-actions.js';
import type { Document, OriginRelation } from '../domain/document.js';
import type { DocumentContent, DocumentView, RelatedDocument } from '../domain/document-view.js';

/** Where a document comes from and what was made of it, as the database tells. */
export interface Relations {
  origin: string | null;
  followUps: [relation: OriginRelation, id: Uuid, number: string | null][];
}

export const NO_RELATIONS: Relations = { origin: null, followUps: [] };

/** One document as everybody sees it. */
export function documentView(
  document: Document,
  content: DocumentContent,
  relations: Relations,
): DocumentView {
  const { state, status } = document;
  return {
    ...content,
    id: publicId('doc', state.id),
    kind: state.kind,
    proforma: state.proforma,
    status,
    number: state.number,
    series: state.series,
    externalId: state.externalId,
    version: state.version,
    revision: state.revision,
    currency: state.currency,
    customerId: publicId('cus', state.customerId),
    issueDate: state.issueDate,
    dueDate: state.dueDate,
    isOverdue: document.isOverdue,
    amountPaid: state.amountPaid,
    amountCredited: state.amountCredited,
    amountDue: document.amountDue,
    creditable: document.creditable,
    amountApplied: state.amountApplied,
    origin: state.origin && {
      relation: state.origin.relation,
      id: publicId('doc', state.origin.documentId),
      number: relations.origin,
    },
    followUps: relations.followUps.map(([relation, id, number]): RelatedDocument => ({
      relation,
      id: publicId('doc', id),
      number,
    })),
    rejection: state.rejection,
    createdAt: state.createdAt,
    transitions: {
      issued: state.issuedAt,
      accepted: state.acceptedAt,
      rejected: state.rejection?.at ?? null,
      expired: status === 'expired' ? state.lapsesAt : null,
      converted: state.convertedAt,
      paid: state.settledAt,
      written_off: state.writtenOffAt,
      voided: state.voidedAt,
    },
    availableActions: ACTIONS.map((action) => ({ action, refusal: document.refusalOf(action) })),
  };
}
