import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../platform/http/paging.js';
import { CreditNotes } from '../application/credit-notes.service.js';
import { DocumentSteps } from '../application/document-steps.service.js';
import { Documents } from '../application/documents.service.js';
import { ChangesBody } from './changes.dto.js';
import { DocumentBody } from './document-body.dto.js';
import { CreateCreditNoteRequest } from './credit-note.dto.js';
import {
  ClaimTaxReliefRequest,
  CopyDocumentRequest,
  ReverseWriteOffRequest,
  VoidRequest,
  WriteOffRequest,
} from './document-steps.dto.js';
import { documentId } from './documents.controller.js';
import { toCopy, toNewCreditNote } from './parse-draft.js';
import { presentDocument } from './present-document.js';
import { REFUSED_ISSUE_DATES, REFUSED_PARTICULARS } from './refused-documents.js';
import { presentValidation, ValidationBody } from './validation.dto.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** The steps of a document as a whole, with a route each. */
@ApiTags('documents')
@Controller('v1/finance/documents/:id')
export class DocumentStepsController {
  constructor(
    private readonly documents: Documents,
    private readonly steps: DocumentSteps,
    private readonly creditNotes: CreditNotes,
  ) {}

  @Post('issue', 'documents:write', {
    summary: 'Issue a draft: it gets its number and is frozen',
    description:
      'The number comes from its series, without a gap. Seller and customer are copied into the document. In a strict account, what the law misses is refused.',
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_draft,
      DocumentRefusal.document_not_revisable,
      DocumentRefusal.payment_processing,
      DocumentRefusal.due_date_passed,
      DocumentRefusal.cash_discount_after_due,
      ...REFUSED_ISSUE_DATES,
      ...REFUSED_PARTICULARS,
      DocumentRefusal.unknown_series,
      DocumentRefusal.number_taken,
      CommonRefusal.document_busy,
    ],
  })
  async issueDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentDocument, (guard) =>
      this.documents.issue(byClient(caller), documentId(id), expected, guard),
    );
  }

  @Post('validate', 'documents:read', {
    summary: 'Tell what the law misses in a stored document',
    description: 'Of a draft: with the seller and the customer as they are now.',
    answers: ValidationBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async validateDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
  ) {
    return presentValidation(await this.documents.judge(caller.accountId, documentId(id)));
  }

  @Post('void', 'documents:write', {
    summary: 'Void an unpaid document',
    description:
      'Its number stays taken, and its PDF says that it is void. Where money was paid or credited, it is refused. Where a provider has money on its way, it takes `despite_processing`. The history keeps the `reason`.',
    example: { reason: 'Sent to the wrong customer' },
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_voidable,
      DocumentRefusal.payment_processing,
      DocumentRefusal.customer_credit_spent,
      FieldRefusal.invalid_text,
      CommonRefusal.document_busy,
    ],
  })
  async voidDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: VoidRequest }) body: VoidRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const { reason = null, despite_processing: despiteProcessing = false } = body;
    const how = { reason, despiteProcessing };
    return once.run(presentDocument, (guard) =>
      this.steps.void(byClient(caller), documentId(id), how, expected, guard),
    );
  }

  @Post('write-off', 'documents:write', {
    summary: 'Write off what is due',
    description:
      'What is due becomes a loss in the books, and the invoice is `uncollectible`. It may still be paid later. With `claim_tax_relief`, its tax is claimed back at once.',
    example: { reason: 'Insolvency' },
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.nothing_to_write_off,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      DocumentRefusal.payment_processing,
      FieldRefusal.invalid_text,
      CommonRefusal.document_busy,
    ],
  })
  async writeOffDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: WriteOffRequest }) body: WriteOffRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const how = {
      reason: body.reason ?? null,
      on: body.date ?? null,
      taxRelief: body.tax_relief ?? false,
      despiteProcessing: body.despite_processing ?? false,
    };
    return once.run(presentDocument, (guard) =>
      this.steps.writeOff(byClient(caller), documentId(id), how, expected, guard),
    );
  }

  @Post('tax-relief', 'documents:write', {
    summary: 'Claim back the tax of what was written off or let pass',
    description:
      'The share of tax in the loss is booked back, by category and rate. Later payments of the loss owe it again.',
    example: {},
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.no_tax_to_relieve,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      CommonRefusal.document_busy,
    ],
  })
  async claimTaxRelief(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ClaimTaxReliefRequest }) body: ClaimTaxReliefRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const on = body.date ?? null;
    return once.run(presentDocument, (guard) =>
      this.steps.claimTaxRelief(byClient(caller), documentId(id), on, expected, guard),
    );
  }

  @Post('write-off/reverse', 'documents:write', {
    summary: 'Ask again for what was written off',
    description: 'The loss and its tax are taken back in the books, and the invoice is due again.',
    example: { reason: 'A court decided so' },
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_written_off,
      FieldRefusal.invalid_text,
      CommonRefusal.document_busy,
    ],
  })
  async reverseWriteOff(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReverseWriteOffRequest }) body: ReverseWriteOffRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const reason = body.reason ?? null;
    return once.run(presentDocument, (guard) =>
      this.steps.reverseWriteOff(byClient(caller), documentId(id), reason, expected, guard),
    );
  }

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
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      ...REFUSED_ISSUE_DATES,
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
    return once.run(presentDocument, (guard) =>
      this.steps.duplicate(byClient(caller), documentId(id), toCopy(body), expected, guard),
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
      DocumentRefusal.payment_processing,
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      CommonRefusal.document_busy,
      ...REFUSED_ISSUE_DATES,
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
    return once.run(presentDocument, (guard) =>
      this.steps.revise(byClient(caller), documentId(id), toCopy(body), expected, guard),
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
      DocumentRefusal.due_before_issue,
      DocumentRefusal.cash_discount_after_due,
      FieldRefusal.said_twice,
      CommonRefusal.document_busy,
      ...REFUSED_ISSUE_DATES,
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
    return once.run(presentDocument, (guard) =>
      this.steps.convert(byClient(caller), documentId(id), toCopy(body), expected, guard),
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
      DocumentRefusal.tax_group_below_zero,
      DocumentRefusal.amount_too_small,
      DocumentRefusal.unknown_line,
      FieldRefusal.said_twice,
      FieldRefusal.validation_failed,
      DocumentRefusal.external_id_taken,
      CommonRefusal.document_busy,
      ...REFUSED_ISSUE_DATES,
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
