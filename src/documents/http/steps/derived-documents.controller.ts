import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import { IfMatch } from '../../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../../platform/http/request.js';
import { Get, Post } from '../../../platform/http/route.js';
import type { Once } from '../../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../../platform/http/paging.js';
import { CreditNotes } from '../../application/credit-notes.service.js';
import { DocumentSteps } from '../../application/document-steps.service.js';
import { Documents } from '../../application/documents.service.js';
import { ChangesBody } from '../../wire/steps/changes.js';
import { DocumentBody } from '../../wire/document-body.js';
import { CreateCreditNoteRequest } from '../../wire/steps/credit-note.js';
import { CopyDocumentRequest } from '../../wire/steps/document-steps.js';
import { documentId } from '../documents.controller.js';
import { assertMaySay } from '../field-scopes.js';
import { toCopy, toNewCreditNote } from '../../wire/parse-draft.js';
import { presentDocument } from '../../wire/present-document.js';
import { REFUSED_ISSUES, REFUSED_PARTICULARS, REFUSED_PREPAYMENTS } from '../refused-documents.js';
import { DocumentRefusal } from '../../domain/refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** Documents that are made of another one: copies, revisions, invoices of quotes, credit notes. */
@ApiTags('documents')
@Controller('v1/finance/documents/:id')
export class DerivedDocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly steps: DocumentSteps,
    private readonly creditNotes: CreditNotes,
  ) {}

  @Post('duplicate', 'documents:write', {
    summary: 'Duplicate a document as a draft',
    description:
      "An independent copy with today's dates. Its lines and terms are those of the old one; your `external_id` stays with that.",
    example: { payment_terms_days: 14 },
    creates: DocumentBody,
    at: 'finance/documents/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_duplicable,
      DocumentRefusal.customer_erased,
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      ...REFUSED_PREPAYMENTS,
      ...REFUSED_ISSUES,
      ...REFUSED_PARTICULARS,
    ],
  })
  async duplicateDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CopyDocumentRequest }) body: CopyDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    return once.run(presentDocument, (guard) =>
      this.steps.duplicate(
        { by: byClient(caller), id: documentId(id), expected, guard },
        toCopy(body),
      ),
    );
  }

  @Post('revise', 'documents:write', {
    summary: 'Revise a document',
    description:
      'Makes a draft with the next `revision`. Issuing it voids the old version, which stays in force until then.',
    example: { payment_terms_days: 14 },
    creates: DocumentBody,
    at: 'finance/documents/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_revisable,
      DocumentRefusal.customer_erased,
      DocumentRefusal.payment_processing,
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      ...REFUSED_PREPAYMENTS,
      ...REFUSED_ISSUES,
      ...REFUSED_PARTICULARS,
    ],
  })
  async reviseDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CopyDocumentRequest }) body: CopyDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    return once.run(presentDocument, (guard) =>
      this.steps.revise(
        { by: byClient(caller), id: documentId(id), expected, guard },
        toCopy(body),
      ),
    );
  }

  @Post('convert', 'documents:write', {
    summary: 'Convert a quote into an invoice',
    description:
      'Makes a draft invoice of an open or accepted quote, which is `converted` at once. Deleting the draft takes that back.',
    example: { payment_terms_days: 14, issue: true },
    creates: DocumentBody,
    at: 'finance/documents/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_convertible,
      DocumentRefusal.customer_erased,
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      ...REFUSED_PREPAYMENTS,
      ...REFUSED_ISSUES,
      ...REFUSED_PARTICULARS,
    ],
  })
  async convertDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CopyDocumentRequest }) body: CopyDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    return once.run(presentDocument, (guard) =>
      this.steps.convert(
        { by: byClient(caller), id: documentId(id), expected, guard },
        toCopy(body),
      ),
    );
  }

  @Post('credit-notes', 'documents:write', {
    summary: 'Credit an invoice, in full, by line or by amount',
    description:
      'It is issued at once and lowers what is due; what is paid already becomes credit of the customer. It never takes more than `amount_creditable`.',
    example: { amount: 5000, notes: 'Delivered late' },
    takes: 'creditNote',
    creates: DocumentBody,
    at: 'finance/documents/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_creditable,
      DocumentRefusal.amount_exceeds_creditable,
      DocumentRefusal.quantity_exceeds_line,
      DocumentRefusal.total_below_zero,
      DocumentRefusal.amount_too_small,
      DocumentRefusal.unknown_line,
      FieldRefusal.said_twice,
      FieldRefusal.validation_failed,
      DocumentRefusal.external_id_taken,
      ...REFUSED_ISSUES,
      ...REFUSED_PARTICULARS,
    ],
  })
  async createCreditNote(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CreateCreditNoteRequest }) body: CreateCreditNoteRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentDocument, (guard) =>
      this.creditNotes.create(
        byClient(caller),
        documentId(id),
        toNewCreditNote(body),
        expected,
        guard,
      ),
    );
  }

  @Get('changes', 'documents:read', {
    summary: 'List what a revision changed',
    description:
      'By JSON Pointer, with the values before and after. It is empty for a document that is no revision.',
    answers: ChangesBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async getChanges(@CallerOf() caller: Caller, @Param('id') id: string) {
    const view = await this.documents.find(caller.accountId, documentId(id));
    return { data: await this.documents.changesOf(caller.accountId, view), ...WHOLE };
  }
}
