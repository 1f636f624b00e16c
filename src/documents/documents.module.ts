import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ClocksModule } from '../clocks/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { launchChromium } from '../platform/chromium/chromium.js';
import { Config } from '../platform/config/config.js';
import { NumberTexts, PatternTexts } from './domain/numbering/number-texts.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { portOf } from '../platform/ports.js';
import { Log } from '../platform/observability/log.js';
import { Metrics } from '../platform/observability/metrics.js';
import { AddedLines } from './application/added-lines.js';
import { Attachments } from './application/attachments.service.js';
import { Catalogue } from './application/catalogue/catalogue.service.js';
import { CatalogueItems } from './application/catalogue/catalogue-items.service.js';
import { TaxRates } from './application/catalogue/tax-rates.service.js';
import { CreditNotes } from './application/credit-notes.service.js';
import { CustomerErasing } from './application/customer-erasing.js';
import { Customers } from './application/customers.service.js';
import { DocumentPdfs } from './application/document-pdfs.service.js';
import { DocumentSteps } from './application/document-steps.service.js';
import { DocumentTransactions } from './application/document-transactions.js';
import { DocumentWriter } from './application/document-writer.js';
import { DueDateTelling } from './application/due-date-telling.js';
import { DueDates } from './application/due-dates.service.js';
import { DueDatesRepository } from './infrastructure/due-dates.repository.js';
import { Documents } from './application/documents.service.js';
import { Drafts } from './application/drafts.service.js';
import { Issuing } from './application/issuing.service.js';
import { Prepayments } from './application/prepayments.js';
import { GivenNumbers } from './application/given-numbers.js';
import { SkippedNumbers } from './application/skipped-numbers.service.js';
import { Numbering } from './application/numbering.service.js';
import { PortalTokens } from './application/portal-tokens.service.js';
import { PortalViews } from './application/portal-views.service.js';
import { StandingPortalLinks } from './application/standing-portal-links.js';
import { SellerProfiles } from './application/seller-profiles.service.js';
import { LogoEncoder } from './domain/parties/logo.js';
import { AttachmentsController } from './http/attachments/attachments.controller.js';
import { PortalAttachmentsController } from './http/attachments/portal-attachments.controller.js';
import { ItemsController } from './http/catalogue/items.controller.js';
import { TaxRatesController } from './http/catalogue/tax-rates.controller.js';
import { CustomersController } from './http/customers.controller.js';
import { DocumentExpansions } from './http/document-expansions.js';
import { DocumentBatchesController } from './http/document-batches.controller.js';
import { DerivedDocumentsController } from './http/steps/derived-documents.controller.js';
import { DocumentStepsController } from './http/steps/document-steps.controller.js';
import { DocumentsController } from './http/documents.controller.js';
import {
  CustomersByExternalIdController,
  DocumentsByExternalIdController,
} from './http/external-ids.controller.js';
import { NumberingController } from './http/numbering/numbering.controller.js';
import { PortalTokensController } from './http/portal-tokens.controller.js';
import { SellerController } from './http/seller.controller.js';
import { TemplateController } from './http/template/template.controller.js';
import { AttachmentFiles } from './infrastructure/attachment-files.repository.js';
import { IssuedPdfs } from './infrastructure/document-pdf.repository.js';
import { CatalogueItemRepository } from './infrastructure/catalogue/catalogue-item.repository.js';
import { CatalogueItemsQuery } from './infrastructure/catalogue/catalogue-items.query.js';
import { TaxRateRepository } from './infrastructure/catalogue/tax-rate.repository.js';
import { TaxRatesQuery } from './infrastructure/catalogue/tax-rates.query.js';
import { EInvoiceProfiles } from './application/e-invoice-profiles.service.js';
import { TaxCurrencies } from './application/tax-currencies.service.js';
import { VatNumberChecks } from './application/vat-number-checks.service.js';
import { NoVatNumberRegister, VatNumberRegister } from './domain/legal/vat-number-register.js';
import { Vies } from './infrastructure/vies.js';
import { CreditNoteRepository } from './infrastructure/credit-note.repository.js';
import { ErasedCustomersRepository } from './infrastructure/erased-customers.repository.js';
import { CustomerRepository } from './infrastructure/customer.repository.js';
import { CustomersQuery } from './infrastructure/customers.query.js';
import { DocumentRepository } from './infrastructure/document.repository.js';
import { DocumentsListQuery } from './infrastructure/documents-list.query.js';
import { DocumentsQuery } from './infrastructure/documents.query.js';
import { NumberSeriesRepository } from './infrastructure/number-series.repository.js';
import { WrittenNumbersRepository } from './infrastructure/written-numbers.repository.js';
import { LostNumbersQuery } from './infrastructure/lost-numbers.query.js';
import { NumberingQuery } from './infrastructure/numbering.query.js';
import { PdfRenderer } from './infrastructure/printing/pdf-renderer.js';
import { PrintFigures } from './infrastructure/printing/print-figures.js';
import { PuppeteerPdfRenderer } from './infrastructure/printing/puppeteer-pdf-renderer.js';
import { SellerLogos } from './infrastructure/seller-logos.repository.js';
import { SharpLogoEncoder } from './infrastructure/sharp-logo-encoder.js';
import { ITEM_EVENTS } from './wire/catalogue/item-events.js';
import { CUSTOMER_EVENTS } from './wire/customer-events.js';
import { DOCUMENT_EVENTS } from './wire/document-events.js';

@Module({
  imports: [AuthModule, ClocksModule, EventsModule],
  controllers: [
    CustomersByExternalIdController,
    DocumentsByExternalIdController,
    CustomersController,
    ItemsController,
    TaxRatesController,
    DocumentBatchesController,
    DocumentsController,
    AttachmentsController,
    PortalAttachmentsController,
    DocumentStepsController,
    DerivedDocumentsController,
    NumberingController,
    PortalTokensController,
    SellerController,
    TemplateController,
  ],
  providers: [
    Catalogue,
    Customers,
    CatalogueItems,
    TaxRates,
    Documents,
    Attachments,
    AttachmentFiles,
    Drafts,
    DocumentTransactions,
    DocumentSteps,
    CreditNotes,
    Issuing,
    TaxCurrencies,
    Prepayments,
    AddedLines,
    EInvoiceProfiles,
    DocumentWriter,
    DueDates,
    DueDateTelling,
    DueDatesRepository,
    DocumentPdfs,
    IssuedPdfs,
    Numbering,
    GivenNumbers,
    SkippedNumbers,
    LostNumbersQuery,
    CustomerErasing,
    ErasedCustomersRepository,
    PortalTokens,
    PortalViews,
    StandingPortalLinks,
    SellerProfiles,
    DocumentRepository,
    CreditNoteRepository,
    DocumentsQuery,
    DocumentsListQuery,
    NumberSeriesRepository,
    WrittenNumbersRepository,
    NumberingQuery,
    CustomerRepository,
    CatalogueItemRepository,
    CatalogueItemsQuery,
    TaxRateRepository,
    TaxRatesQuery,
    CustomersQuery,
    DocumentExpansions,
    SellerLogos,
    VatNumberChecks,
    portOf(LogoEncoder, SharpLogoEncoder),
    portOf(NumberTexts, PatternTexts),
    portOf(VatNumberRegister, {
      inject: [Config, OutgoingClient],
      useFactory: ({ viesUrl }: Config, outgoing: OutgoingClient) =>
        viesUrl === null
          ? new NoVatNumberRegister()
          : new Vies(outgoing.fetchFor([viesUrl]), viesUrl),
    }),
    portOf(PdfRenderer, {
      inject: [Config, Log, Metrics],
      useFactory: (config: Config, log: Log, metrics: Metrics) => {
        const say = (line: string) => log.warn({}, line);
        const cacheDir = join(config.cacheDir, 'chromium');
        const chromium = { executablePath: config.chromiumPath, cacheDir, log: say };
        const launch = async () => (await launchChromium(chromium)).browser;
        const figures = new PrintFigures(metrics);
        return new PuppeteerPdfRenderer({ launch, log: say, figures });
      },
    }),
  ],
  exports: [
    AddedLines,
    Attachments,
    CreditNotes,
    CustomerErasing,
    Customers,
    DocumentExpansions,
    Documents,
    DocumentSteps,
    DocumentWriter,
    TaxCurrencies,
    Prepayments,
    EInvoiceProfiles,
    DocumentPdfs,
    PortalTokens,
    PortalViews,
    StandingPortalLinks,
    DocumentRepository,
    CreditNoteRepository,
    DocumentsQuery,
    SellerLogos,
    SellerProfiles,
    PdfRenderer,
    SkippedNumbers,
  ],
})
export class DocumentsModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys({ ...DOCUMENT_EVENTS, ...CUSTOMER_EVENTS, ...ITEM_EVENTS }));
  }
}
