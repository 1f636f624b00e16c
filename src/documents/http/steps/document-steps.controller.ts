import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import { IfMatch } from '../../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../../platform/http/request.js';
import { Post } from '../../../platform/http/route.js';
import type { Once } from '../../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../platform/idempotency/once.decorator.js';
import { DocumentSteps } from '../../application/document-steps.service.js';
import { Documents } from '../../application/documents.service.js';
import { DocumentBody } from '../../wire/document-body.js';
import {
  ClaimTaxReliefRequest,
  IssueDocumentRequest,
  ReverseWriteOffRequest,
  VoidRequest,
  WriteOffRequest,
} from '../../wire/steps/document-steps.js';
import { prepaymentsIn } from '../../wire/prepayment.js';
import { assertMaySay } from '../field-scopes.js';
import { documentId } from '../documents.controller.js';
import { presentDocument } from '../../wire/present-document.js';
import { REFUSED_ISSUES, REFUSED_PARTICULARS, REFUSED_PREPAYMENTS } from '../refused-documents.js';
import { DocumentRefusal } from '../../domain/refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** The steps of a document as a whole, with a route each. */
@ApiTags('documents')
@Controller('v1/finance/documents/:id')
export class DocumentStepsController {
  constructor(
    private readonly documents: Documents,
    private readonly steps: DocumentSteps,
  ) {}

  @Post('issue', 'documents:write', {
    summary: 'Issue a draft: it gets its number and is frozen',
    description:
      'The number comes from its series, without a gap. Seller and customer are copied into the document. In a strict account, what the law misses is refused. Money that came before is recorded with it.',
    example: { prepayments: [{ amount: 5000, method: 'bank_transfer' }] },
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_draft,
      DocumentRefusal.document_not_revisable,
      DocumentRefusal.payment_processing,
      DocumentRefusal.due_date_passed,
      DocumentRefusal.cash_discount_after_due,
      ...REFUSED_ISSUES,
      ...REFUSED_PARTICULARS,
      DocumentRefusal.unknown_series,
      DocumentRefusal.number_taken,
      ...REFUSED_PREPAYMENTS,
    ],
  })
  async issueDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: IssueDocumentRequest }) body: IssueDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    const prepayments = prepaymentsIn(body);
    return once.run(presentDocument, (guard) =>
      this.documents.issue(byClient(caller), documentId(id), prepayments, expected, guard),
    );
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
      this.steps.void({ by: byClient(caller), id: documentId(id), expected, guard }, how),
    );
  }

  @Post('write-off', 'documents:write', {
    summary: 'Write off what is due',
    description:
      'What is due becomes a loss in the books, and the invoice is `uncollectible`. It may still be paid later. With `tax_relief`, its tax is claimed back at once.',
    example: { reason: 'Insolvency' },
    answers: DocumentBody,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.nothing_to_write_off,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      DocumentRefusal.payment_processing,
      FieldRefusal.invalid_text,
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
      this.steps.writeOff({ by: byClient(caller), id: documentId(id), expected, guard }, how),
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
      this.steps.claimTaxRelief({ by: byClient(caller), id: documentId(id), expected, guard }, on),
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
      this.steps.reverseWriteOff(
        { by: byClient(caller), id: documentId(id), expected, guard },
        reason,
      ),
    );
  }
}
