import { AuthRefusal } from './auth/index.js';
import { BankRefusal } from './bank/index.js';
import { BooksRefusal } from './books/index.js';
import { ClockRefusal } from './clocks/index.js';
import { DocumentRefusal } from './documents/index.js';
import { DunningRefusal } from './dunning/index.js';
import { EInvoiceRefusal } from './einvoices/index.js';
import { IntegrityRefusal } from './integrity/index.js';
import { CommonRefusal } from './kernel/common-refusals.js';
import { EndpointRefusal, FeedRefusal } from './feed/index.js';
import { FieldRefusal } from './kernel/field-refusals.js';
import { MailRefusal } from './mail/index.js';
import { GatewayRefusal, PaymentRefusal } from './payments/index.js';
import { PrivacyRefusal } from './privacy/index.js';
import { RequestRefusal } from './platform/http/request-refusals.js';
import { RefusalCatalogue } from './platform/refusal-catalogue.js';
import { ScheduleRefusal } from './schedules/index.js';

const ALL = [
  RequestRefusal,
  FieldRefusal,
  CommonRefusal,
  AuthRefusal,
  ClockRefusal,
  DocumentRefusal,
  EInvoiceRefusal,
  BooksRefusal,
  PaymentRefusal,
  GatewayRefusal,
  BankRefusal,
  ScheduleRefusal,
  MailRefusal,
  DunningRefusal,
  FeedRefusal,
  EndpointRefusal,
  IntegrityRefusal,
  PrivacyRefusal,
].flatMap((each) => Object.values(each));

const FAILURES = [
  RequestRefusal.missing_token,
  RequestRefusal.invalid_token,
  RequestRefusal.route_not_found,
  RequestRefusal.method_not_allowed,
  RequestRefusal.malformed_path,
  AuthRefusal.invalid_client,
  AuthRefusal.invalid_grant,
  DocumentRefusal.portal_link_not_found,
  GatewayRefusal.invalid_signature,
  GatewayRefusal.sandbox_link_not_found,
  GatewayRefusal.gateway_not_found,
];

export const REFUSALS = new RefusalCatalogue(ALL, FAILURES, {
  documents_external_id: () =>
    DocumentRefusal.external_id_taken.of(
      'Another document of the account has this external_id; read that one, or send another id.',
    ),
  schedules_external_id: () =>
    DocumentRefusal.external_id_taken.of(
      'Another schedule of the account has this external_id; read that one, or send another id.',
    ),
  documents_number: () => DocumentRefusal.number_taken.of(),
  file_was_removed: () => CommonRefusal.file_store_unavailable.later(1),
  customer_balances_not_negative: () =>
    // Of a credit note that is wholly applied nothing would be taken back.
    DocumentRefusal.customer_credit_spent.with({ document_status: 'open' }),
});
