import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  documentId,
  DocumentRefusal,
  Documents,
  presentValidation,
} from '../../documents/index.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { EInvoices } from '../application/e-invoices.service.js';
import { PROFILES } from '../domain/profile.js';
import { EInvoiceRefusal } from '../domain/refusals.js';
import {
  DocumentValidationBody,
  presentFindings,
  ValidateDocumentQuery,
} from '../wire/e-invoice-validation.js';

@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentValidationController {
  constructor(
    private readonly documents: Documents,
    private readonly eInvoices: EInvoices,
  ) {}

  @Post(':id/validate', 'documents:read', {
    summary: 'Tell what the law misses in a stored document',
    description:
      'Of a draft: with the seller and the customer as they are now. With a profile, `e_invoice` has the rules that it breaks as an e-invoice, each with the field to mend.',
    answers: DocumentValidationBody,
    problems: [DocumentRefusal.document_not_found, EInvoiceRefusal.no_e_invoice],
  })
  async validateDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ValidateDocumentQuery }) { profile }: ValidateDocumentQuery,
    @Body({ schema: NoFields }) _body: NoFields,
  ): Promise<DocumentValidationBody> {
    const judgement = await this.documents.judge(caller.accountId, documentId(id));
    const answer = presentValidation(judgement);
    if (profile === undefined) return answer;
    const findings = this.eInvoices.findings(judgement.view, profile);
    return { ...answer, e_invoice: presentFindings(PROFILES[profile], findings) };
  }
}
