import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EInvoiceRepository } from './infrastructure/e-invoice.repository.js';
import { EInvoices } from './application/e-invoices.service.js';
import { DocumentFilesController } from './http/document-files.controller.js';
import { DocumentValidationController } from './http/document-validation.controller.js';
import { PortalFilesController } from './http/portal-files.controller.js';

@Module({
  imports: [AuthModule, DocumentsModule],
  controllers: [DocumentFilesController, DocumentValidationController, PortalFilesController],
  providers: [EInvoices, EInvoiceRepository],
  exports: [EInvoices],
})
export class EInvoicesModule {}
