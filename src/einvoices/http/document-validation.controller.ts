import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateDocumentRequest,
  DOCUMENT_EXAMPLE,
  documentId,
  DocumentRefusal,
  Documents,
  type EInvoiceProfile,
  type Judgement,
  profileOf,
  REFUSED_TERMS,
  toNewDocument,
} from '../../documents/index.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { EInvoices } from '../application/e-invoices.service.js';
import { PROFILES } from '../domain/profile.js';
import { EInvoiceRefusal } from '../domain/refusals.js';
import {
  presentFindings,
  presentValidation,
  ValidateDocumentQuery,
  ValidationBody,
} from '../wire/e-invoice-validation.js';

@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentValidationController {
  constructor(
    private readonly documents: Documents,
    private readonly eInvoices: EInvoices,
  ) {}

  @Post('validate', 'documents:read', {
    reads: true,
    summary: 'Tell what the law misses in a document, and store nothing',
    description:
      'By EN 16931, the VAT Directive and the German UStG: each finding has its rule and a pointer to the field. `e_invoice` has the rules that it would break as an e-invoice. The answer is 200 also where something is missing.',
    example: DOCUMENT_EXAMPLE,
    takes: 'document',
    answers: ValidationBody,
    problems: [...REFUSED_TERMS, EInvoiceRefusal.no_e_invoice],
  })
  async validateDocumentBody(
    @CallerOf() caller: Caller,
    @Query({ schema: ValidateDocumentQuery }) { profile }: ValidateDocumentQuery,
    @Body({ schema: CreateDocumentRequest }) body: CreateDocumentRequest,
  ): Promise<ValidationBody> {
    const judgement = await this.documents.preview(caller.accountId, toNewDocument(body));
    return this.answer(judgement, profile);
  }

  @Post(':id/validate', 'documents:read', {
    reads: true,
    summary: 'Tell what the law misses in a stored document',
    description:
      'Of a draft: with the seller and the customer as they are now. `e_invoice` has the rules that it breaks as an e-invoice, each with the field to mend.',
    answers: ValidationBody,
    problems: [DocumentRefusal.document_not_found, EInvoiceRefusal.no_e_invoice],
  })
  async validateDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ValidateDocumentQuery }) { profile }: ValidateDocumentQuery,
    @Body({ schema: NoFields }) _body: NoFields,
  ): Promise<ValidationBody> {
    const judgement = await this.documents.judge(caller.accountId, documentId(id));
    return this.answer(judgement, profile);
  }

  private answer(judgement: Judgement, said: EInvoiceProfile | undefined): ValidationBody {
    const { view } = judgement;
    const profile = said ?? profileOf(view);
    if (profile === null) return presentValidation(judgement, null);
    const findings = this.eInvoices.findings(view, profile);
    return presentValidation(judgement, presentFindings(PROFILES[profile], findings));
  }
}
