// Written by `npm run schema`: what the migrations make, for `integrity` to compare with.
import type { SchemaListing } from './schema-listing.js';

/* oxlint-disable max-lines */
export const MIGRATED_SCHEMA: SchemaListing = {
  'column accounts.account_id': 'uuid NOT NULL',
  'column accounts.base_currency': 'text NOT NULL',
  'column accounts.books_from': 'date NOT NULL',
  'column accounts.books_open_from': 'date NOT NULL',
  'column accounts.created_at': 'timestamp with time zone NOT NULL',
  'column accounts.currency': 'text NOT NULL',
  'column accounts.default_tax_rate_id': 'uuid',
  'column accounts.document_defaults': 'jsonb',
  'column accounts.document_notes': 'text',
  'column accounts.issue_days_ahead': 'integer NOT NULL',
  'column accounts.language': 'text NOT NULL',
  'column accounts.mode': 'text NOT NULL',
  'column accounts.name': 'text NOT NULL',
  'column accounts.payment_terms_days': 'integer NOT NULL',
  'column accounts.seller': 'jsonb NOT NULL',
  'column accounts.strict': 'boolean NOT NULL',
  'column accounts.time_zone': 'text NOT NULL',
  'column accounts.updated_at': 'timestamp with time zone NOT NULL',
  'column accounts.version': 'integer NOT NULL',
  'column allocations.account_id': 'uuid NOT NULL',
  'column allocations.allocation_id': 'uuid NOT NULL',
  'column allocations.amount': 'bigint NOT NULL',
  'column allocations.counts_on': 'date',
  'column allocations.created_at': 'timestamp with time zone NOT NULL',
  'column allocations.currency': 'text NOT NULL',
  'column allocations.document_id': 'uuid NOT NULL',
  'column allocations.payment_id': 'uuid NOT NULL',
  'column allocations.reason': 'text NOT NULL',
  'column allocations.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column api_clients.account_id': 'uuid NOT NULL',
  'column api_clients.addresses': 'text[]',
  'column api_clients.client_id': 'uuid NOT NULL',
  'column api_clients.created_at': 'timestamp with time zone NOT NULL',
  'column api_clients.expires_at': 'timestamp with time zone',
  'column api_clients.had_addresses': 'text[]',
  'column api_clients.had_expires_at': 'timestamp with time zone',
  'column api_clients.had_scopes': 'text[] NOT NULL',
  'column api_clients.last_used_at': 'timestamp with time zone',
  'column api_clients.name': 'text NOT NULL',
  'column api_clients.previous_secret_ends_at': 'timestamp with time zone',
  'column api_clients.previous_secret_sha256': 'bytea',
  'column api_clients.revoked_at': 'timestamp with time zone',
  'column api_clients.scopes': 'text[] NOT NULL',
  'column api_clients.secret_sha256': 'bytea NOT NULL',
  'column api_clients.version': 'integer NOT NULL DEFAULT 1',
  'column audit_entries.account_id': 'uuid NOT NULL',
  'column audit_entries.action': 'text NOT NULL',
  'column audit_entries.actor_id': 'text',
  'column audit_entries.actor_type': 'text NOT NULL',
  'column audit_entries.address': 'inet',
  'column audit_entries.after': 'jsonb',
  'column audit_entries.before': 'jsonb',
  'column audit_entries.entry_id': 'uuid NOT NULL',
  'column audit_entries.occurred_at': 'timestamp with time zone NOT NULL',
  'column audit_entries.occurrences': 'integer NOT NULL DEFAULT 1',
  'column audit_entries.request_id': 'text',
  'column audit_entries.subject': 'text',
  'column audit_entries.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column bank_entries.account_id': 'uuid NOT NULL',
  'column bank_entries.amount': 'bigint NOT NULL',
  'column bank_entries.bank_account': 'text',
  'column bank_entries.bank_reference': 'text',
  'column bank_entries.batch_amount': 'bigint',
  'column bank_entries.batch_key': 'bytea',
  'column bank_entries.booked_on': 'date NOT NULL',
  'column bank_entries.counterparty_iban': 'text',
  'column bank_entries.counterparty_name': 'text',
  'column bank_entries.currency': 'text NOT NULL',
  'column bank_entries.direction': 'text NOT NULL',
  'column bank_entries.end_to_end_id': 'text',
  'column bank_entries.entry_id': 'uuid NOT NULL',
  'column bank_entries.entry_key': 'bytea NOT NULL',
  'column bank_entries.fee': 'bigint NOT NULL DEFAULT 0',
  'column bank_entries.is_reversal': 'boolean NOT NULL',
  'column bank_entries.judged_at': 'timestamp with time zone',
  'column bank_entries.ledger_account': 'text',
  'column bank_entries.payment_id': 'uuid',
  'column bank_entries.payout_id': 'uuid',
  'column bank_entries.remittance': 'text',
  'column bank_entries.return_reason': 'text',
  'column bank_entries.statement_id': 'uuid NOT NULL',
  'column bank_entries.status': 'text NOT NULL',
  'column bank_entries.structured_reference': 'text',
  'column bank_entries.transaction_type': 'text',
  'column bank_entries.value_on': 'date',
  'column bank_entries.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column bank_entry_mentions.account_id': 'uuid NOT NULL',
  'column bank_entry_mentions.entry_id': 'uuid NOT NULL',
  'column bank_entry_mentions.statement_id': 'uuid NOT NULL',
  'column bank_entry_mentions.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column bank_file_mappings.account_id': 'uuid NOT NULL',
  'column bank_file_mappings.bank_account': 'text NOT NULL',
  'column bank_file_mappings.client_id': 'uuid',
  'column bank_file_mappings.header': 'text[] NOT NULL',
  'column bank_file_mappings.hints': 'jsonb NOT NULL',
  'column bank_file_mappings.mapping_id': 'uuid NOT NULL',
  'column bank_file_mappings.told_at': 'timestamp with time zone NOT NULL',
  'column bank_statements.account_id': 'uuid NOT NULL',
  'column bank_statements.client_id': 'uuid',
  'column bank_statements.entries': 'integer NOT NULL',
  'column bank_statements.format': 'text NOT NULL',
  'column bank_statements.hints': "jsonb NOT NULL DEFAULT '{}'::jsonb",
  'column bank_statements.imported_at': 'timestamp with time zone NOT NULL',
  'column bank_statements.known_before': 'integer NOT NULL',
  'column bank_statements.mapping_id': 'uuid',
  'column bank_statements.pending': 'integer NOT NULL',
  'column bank_statements.rejected': 'integer NOT NULL DEFAULT 0',
  'column bank_statements.sections': 'jsonb NOT NULL',
  'column bank_statements.sha256': 'bytea NOT NULL',
  'column bank_statements.statement_id': 'uuid NOT NULL',
  'column bank_statements.unused_columns': "text[] NOT NULL DEFAULT '{}'::text[]",
  'column bank_statements.withdrawn_at': 'timestamp with time zone',
  'column bank_statements.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column chart_settings.account_id': 'uuid NOT NULL',
  'column chart_settings.cash_accounts': "jsonb NOT NULL DEFAULT '[]'::jsonb",
  'column chart_settings.datev': 'jsonb',
  'column chart_settings.losses': "jsonb NOT NULL DEFAULT '[]'::jsonb",
  'column chart_settings.numbers': 'jsonb NOT NULL',
  'column chart_settings.revenue': 'jsonb NOT NULL',
  'column chart_settings.template': 'text NOT NULL',
  'column chart_settings.updated_at': 'timestamp with time zone NOT NULL',
  'column chart_settings.version': 'integer NOT NULL',
  'column checkout_look_ups.account_id': 'uuid NOT NULL',
  'column checkout_look_ups.next_look_at': 'timestamp with time zone NOT NULL',
  'column checkout_look_ups.payment_link_id': 'uuid NOT NULL',
  'column collections.account_id': 'uuid NOT NULL',
  'column collections.automatic': 'boolean NOT NULL',
  'column collections.charge_on': 'date NOT NULL',
  'column collections.document_id': 'uuid NOT NULL',
  'column collections.mandate_id': 'uuid NOT NULL',
  'column collections.payment_link_id': 'uuid NOT NULL',
  'column collections.withdrawn_at': 'timestamp with time zone',
  'column conversions.account_id': 'uuid NOT NULL',
  'column conversions.amount': 'bigint NOT NULL',
  'column conversions.conversion_id': 'uuid NOT NULL',
  'column conversions.currency': 'text NOT NULL',
  'column conversions.exchange_rate': 'numeric NOT NULL',
  'column conversions.payment_id': 'uuid',
  'column conversions.rate_day': 'date',
  'column conversions.rate_from': 'text NOT NULL',
  'column conversions.rate_source': 'text',
  'column conversions.refund_id': 'uuid',
  'column conversions.worth': 'bigint NOT NULL',
  'column conversions.worth_currency': 'text NOT NULL',
  'column conversions.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column credited_lines.account_id': 'uuid NOT NULL',
  'column credited_lines.amount': 'bigint NOT NULL',
  'column credited_lines.credit_note_id': 'uuid NOT NULL',
  'column credited_lines.invoice_id': 'uuid NOT NULL',
  'column credited_lines.position': 'integer NOT NULL',
  'column credited_lines.quantity': 'numeric',
  'column customer_balances.account_id': 'uuid NOT NULL',
  'column customer_balances.credit': 'bigint NOT NULL',
  'column customer_balances.currency': 'text NOT NULL',
  'column customer_balances.customer_id': 'uuid NOT NULL',
  'column customer_balances.reserved': 'bigint NOT NULL DEFAULT 0',
  'column customer_credits.account_id': 'uuid NOT NULL',
  'column customer_credits.amount': 'bigint NOT NULL',
  'column customer_credits.created_at': 'timestamp with time zone NOT NULL',
  'column customer_credits.credit_id': 'uuid NOT NULL',
  'column customer_credits.credit_note_id': 'uuid',
  'column customer_credits.currency': 'text NOT NULL',
  'column customer_credits.customer_id': 'uuid NOT NULL',
  'column customer_credits.payment_id': 'uuid',
  'column customer_credits.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column customers.account_id': 'uuid NOT NULL',
  'column customers.archived_at': 'timestamp with time zone',
  'column customers.cash_discounts': 'jsonb',
  'column customers.created_at': 'timestamp with time zone NOT NULL',
  'column customers.currency': 'text',
  'column customers.customer_id': 'uuid NOT NULL',
  'column customers.external_id': 'text',
  'column customers.metadata': "jsonb NOT NULL DEFAULT '{}'::jsonb",
  'column customers.payment_terms_days': 'integer',
  'column customers.profile': 'jsonb NOT NULL',
  'column customers.search':
    'sha256 626a119504e4356c299edf677af4e17bb6e24e6b2a8db51855766aa62cef3b13',
  'column customers.sort_name':
    'text NOT NULL COLLATE "C" GENERATED ALWAYS AS "left"(public.folded((profile ->> \'name\'::text)), 100)',
  'column customers.updated_at': 'timestamp with time zone NOT NULL DEFAULT now()',
  'column customers.version': 'integer NOT NULL DEFAULT 1',
  'column debtors.account_id': 'uuid NOT NULL',
  'column debtors.customer_id': 'uuid NOT NULL',
  'column debtors.numbered_at': 'timestamp with time zone NOT NULL',
  'column debtors.place': 'integer NOT NULL',
  'column dispute_parts.account_id': 'uuid NOT NULL',
  'column dispute_parts.amount': 'bigint NOT NULL',
  'column dispute_parts.dispute_id': 'uuid NOT NULL',
  'column dispute_parts.document_id': 'uuid NOT NULL',
  'column dispute_parts.payment_id': 'uuid NOT NULL',
  'column dispute_parts.step': 'integer NOT NULL',
  'column dispute_parts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column dispute_steps.account_id': 'uuid NOT NULL',
  'column dispute_steps.adopted': 'bigint NOT NULL',
  'column dispute_steps.amount': 'bigint NOT NULL',
  'column dispute_steps.booked_on': 'date',
  'column dispute_steps.dispute_id': 'uuid NOT NULL',
  'column dispute_steps.disputed': 'bigint NOT NULL',
  'column dispute_steps.evidence_due_by': 'timestamp with time zone',
  'column dispute_steps.fee': 'bigint NOT NULL',
  'column dispute_steps.payment_id': 'uuid',
  'column dispute_steps.reason': 'text NOT NULL',
  'column dispute_steps.receipt_id': 'uuid',
  'column dispute_steps.recorded_at': 'timestamp with time zone NOT NULL',
  'column dispute_steps.reference': 'text',
  'column dispute_steps.said_at': 'timestamp with time zone NOT NULL',
  'column dispute_steps.status': 'text NOT NULL',
  'column dispute_steps.step': 'integer NOT NULL',
  'column dispute_steps.withdrawn': 'bigint NOT NULL',
  'column dispute_steps.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column disputes.account_id': 'uuid NOT NULL',
  'column disputes.currency': 'text NOT NULL',
  'column disputes.dispute_id': 'uuid NOT NULL',
  'column disputes.gateway': 'text NOT NULL',
  'column disputes.provider_dispute_id': 'text NOT NULL',
  'column disputes.provider_payment_id': 'text NOT NULL',
  'column disputes.recorded_at': 'timestamp with time zone NOT NULL',
  'column disputes.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column document_contents.account_id': 'uuid NOT NULL',
  'column document_contents.charges': 'jsonb NOT NULL',
  'column document_contents.customer': 'jsonb NOT NULL',
  'column document_contents.details': 'jsonb',
  'column document_contents.discounts': 'jsonb NOT NULL',
  'column document_contents.document_id': 'uuid NOT NULL',
  'column document_contents.lines': 'json NOT NULL',
  'column document_contents.metadata': 'jsonb NOT NULL',
  'column document_contents.notes': 'text',
  'column document_contents.search': 'tsvector NOT NULL',
  'column document_contents.seller': 'jsonb NOT NULL',
  'column document_contents.tax_groups': 'json NOT NULL',
  'column document_lines.account_id': 'uuid NOT NULL',
  'column document_lines.amount': 'bigint NOT NULL',
  'column document_lines.charges': "jsonb NOT NULL DEFAULT '[]'::jsonb",
  'column document_lines.credited_line_id': 'uuid',
  'column document_lines.description': 'text NOT NULL',
  'column document_lines.details': 'jsonb',
  'column document_lines.discounts': "jsonb NOT NULL DEFAULT '[]'::jsonb",
  'column document_lines.document_id': 'uuid NOT NULL',
  'column document_lines.exemption_reason': 'text',
  'column document_lines.external_id': 'text',
  'column document_lines.item_id': 'uuid',
  'column document_lines.line_id': 'uuid NOT NULL',
  'column document_lines.metadata': "jsonb NOT NULL DEFAULT '{}'::jsonb",
  'column document_lines.net': 'bigint NOT NULL',
  'column document_lines.position': 'integer NOT NULL',
  'column document_lines.quantity': 'numeric NOT NULL',
  'column document_lines.sku': 'text',
  'column document_lines.tax_category': 'text NOT NULL',
  'column document_lines.tax_rate': 'numeric NOT NULL',
  'column document_lines.tax_rate_id': 'uuid',
  'column document_lines.unit': "text NOT NULL DEFAULT 'C62'::text",
  'column document_lines.unit_amount': 'numeric NOT NULL',
  'column document_pdfs.account_id': 'uuid NOT NULL',
  'column document_pdfs.created_at': 'timestamp with time zone NOT NULL',
  'column document_pdfs.document_id': 'uuid NOT NULL',
  'column document_pdfs.language': 'text NOT NULL',
  'column document_pdfs.pdf': 'bytea NOT NULL',
  'column document_pdfs.sha256': 'bytea NOT NULL',
  'column document_pdfs.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column document_tax_groups.account_id': 'uuid NOT NULL',
  'column document_tax_groups.base': 'bigint NOT NULL',
  'column document_tax_groups.document_id': 'uuid NOT NULL',
  'column document_tax_groups.exemption_code': 'text',
  'column document_tax_groups.exemption_reason': 'text',
  'column document_tax_groups.tax': 'bigint NOT NULL',
  'column document_tax_groups.tax_category': 'text NOT NULL',
  'column document_tax_groups.tax_rate': 'numeric NOT NULL',
  'column documents.accepted_at': 'timestamp with time zone',
  'column documents.accepted_by': 'text',
  'column documents.account_id': 'uuid NOT NULL',
  'column documents.amount_applied': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_credited': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_disputed': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_moved': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_paid': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_processing': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_refunded': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_undecided': 'bigint NOT NULL DEFAULT 0',
  'column documents.amount_waived': 'bigint NOT NULL DEFAULT 0',
  'column documents.cash_discounts': 'jsonb',
  'column documents.cash_rounding': 'integer',
  'column documents.charge_total': 'bigint NOT NULL DEFAULT 0',
  'column documents.collection_method': 'text',
  'column documents.converted_at': 'timestamp with time zone',
  'column documents.created_at': 'timestamp with time zone NOT NULL',
  'column documents.credit_notes_total': 'bigint NOT NULL DEFAULT 0',
  'column documents.currency': 'text NOT NULL',
  'column documents.customer_id': 'uuid NOT NULL',
  'column documents.discount_total': 'bigint NOT NULL DEFAULT 0',
  'column documents.document_id': 'uuid NOT NULL',
  'column documents.due_date': 'date',
  'column documents.event_sequence': 'integer NOT NULL',
  'column documents.external_id': 'text',
  'column documents.issue_date': 'date',
  'column documents.issued_at': 'timestamp with time zone',
  'column documents.issued_xact': 'bigint',
  'column documents.kind': 'text NOT NULL',
  'column documents.language': 'text',
  'column documents.lapses_at': 'timestamp with time zone',
  'column documents.lifecycle': 'text NOT NULL',
  'column documents.net_total': 'bigint NOT NULL',
  'column documents.number': 'text',
  'column documents.number_period': 'text',
  'column documents.number_sequence': 'bigint',
  'column documents.number_series': 'text',
  'column documents.origin': 'text',
  'column documents.origin_document_id': 'uuid',
  'column documents.payment_reference': 'text',
  'column documents.payment_terms_days': 'integer',
  'column documents.prices_include_tax': 'boolean NOT NULL DEFAULT false',
  'column documents.proforma': 'boolean NOT NULL DEFAULT false',
  'column documents.purchase_order': 'text',
  'column documents.rejected_at': 'timestamp with time zone',
  'column documents.rejected_version': 'integer',
  'column documents.rejection_reason': 'text',
  'column documents.revision': 'integer NOT NULL DEFAULT 1',
  'column documents.rounding': 'bigint NOT NULL DEFAULT 0',
  'column documents.settled_at': 'timestamp with time zone',
  'column documents.subtotal': 'bigint NOT NULL',
  'column documents.tax_relief': 'jsonb',
  'column documents.tax_total': 'bigint NOT NULL',
  'column documents.total': 'bigint NOT NULL',
  'column documents.updated_at': 'timestamp with time zone NOT NULL',
  'column documents.version': 'integer NOT NULL',
  'column documents.voided_at': 'timestamp with time zone',
  'column documents.written_off_at': 'timestamp with time zone',
  'column events.account_id': 'uuid NOT NULL',
  'column events.actor_id': 'text',
  'column events.actor_type': 'text',
  'column events.data': 'jsonb NOT NULL',
  'column events.document_id': 'uuid',
  'column events.event_id': 'uuid NOT NULL',
  'column events.occurred_at': 'timestamp with time zone NOT NULL',
  'column events.sequence': 'integer',
  'column events.type': 'text NOT NULL',
  'column events.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column exchange_rates.account_id': 'uuid NOT NULL',
  'column exchange_rates.base': 'text NOT NULL',
  'column exchange_rates.client_id': 'uuid NOT NULL',
  'column exchange_rates.day': 'date NOT NULL',
  'column exchange_rates.quote': 'text NOT NULL',
  'column exchange_rates.rate': 'numeric NOT NULL',
  'column exchange_rates.rate_id': 'uuid NOT NULL',
  'column exchange_rates.recorded_at': 'timestamp with time zone NOT NULL',
  'column exchange_rates.revision': 'integer NOT NULL',
  'column exchange_rates.source': 'text NOT NULL',
  'column exchange_rates.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column gateway_deliveries.account_id': 'uuid NOT NULL',
  'column gateway_deliveries.attempts': 'integer NOT NULL DEFAULT 0',
  'column gateway_deliveries.delivery_id': 'uuid NOT NULL',
  'column gateway_deliveries.event_types': 'text[] NOT NULL',
  'column gateway_deliveries.gateway': 'text NOT NULL',
  'column gateway_deliveries.is_unfinished': 'boolean NOT NULL DEFAULT false',
  'column gateway_deliveries.left_over': 'integer[]',
  'column gateway_deliveries.names': 'jsonb NOT NULL',
  'column gateway_deliveries.next_try_at': 'timestamp with time zone',
  'column gateway_deliveries.outcome': 'text NOT NULL',
  'column gateway_deliveries.problem': 'text',
  'column gateway_deliveries.received_at': 'timestamp with time zone NOT NULL',
  'column gateway_deliveries.replayed_at': 'timestamp with time zone',
  'column gateway_deliveries.replays': 'integer NOT NULL DEFAULT 0',
  'column gateway_deliveries.reports': 'integer NOT NULL',
  'column gateway_deliveries.sealed_delivery': 'bytea NOT NULL',
  'column gateways.account_id': 'uuid NOT NULL',
  'column gateways.created_at': 'timestamp with time zone NOT NULL',
  'column gateways.gateway_id': 'uuid NOT NULL',
  'column gateways.name': 'text NOT NULL',
  'column gateways.previous_secret_ends_at': 'timestamp with time zone',
  'column gateways.provider': 'text NOT NULL',
  'column gateways.sealed_settings': 'bytea NOT NULL',
  'column gateways.status': 'text NOT NULL',
  'column gateways.updated_at': 'timestamp with time zone NOT NULL',
  'column gateways.version': 'integer NOT NULL',
  'column idempotency_keys.account_id': 'uuid NOT NULL',
  'column idempotency_keys.body': 'bytea NOT NULL',
  'column idempotency_keys.client_id': 'uuid NOT NULL',
  'column idempotency_keys.created_at': 'timestamp with time zone NOT NULL',
  'column idempotency_keys.key': 'text NOT NULL',
  'column idempotency_keys.request_sha256': 'bytea NOT NULL',
  'column idempotency_keys.route': 'text NOT NULL',
  'column idempotency_keys.status': 'smallint NOT NULL',
  'column integrity_runs.account_id': 'uuid NOT NULL',
  'column integrity_runs.differences': 'bigint NOT NULL',
  'column integrity_runs.finished_at': 'timestamp with time zone NOT NULL',
  'column integrity_runs.started_at': 'timestamp with time zone NOT NULL',
  'column items.account_id': 'uuid NOT NULL',
  'column items.archived_at': 'timestamp with time zone',
  'column items.created_at': 'timestamp with time zone NOT NULL',
  'column items.description': 'text',
  'column items.details': 'jsonb',
  'column items.exemption_code': 'text',
  'column items.exemption_reason': 'text',
  'column items.external_id': 'text',
  'column items.item_id': 'uuid NOT NULL',
  'column items.metadata': 'jsonb NOT NULL',
  'column items.name': 'text NOT NULL',
  'column items.prices': 'jsonb NOT NULL',
  'column items.prices_include_tax': 'boolean NOT NULL',
  'column items.search':
    "tsvector NOT NULL GENERATED ALWAYS AS array_to_tsvector(public.search_lexemes(account_id, ((((((name || ' '::text) || COALESCE(description, ''::text)) || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || COALESCE(external_id, ''::text))))",
  'column items.sku': 'text',
  'column items.tax_category': 'text',
  'column items.tax_rate': 'numeric',
  'column items.tax_rate_id': 'uuid',
  'column items.unit': 'text',
  'column items.updated_at': 'timestamp with time zone NOT NULL',
  'column items.version': 'integer NOT NULL',
  'column mail_letters.account_id': 'uuid NOT NULL',
  'column mail_letters.counted_at': 'timestamp with time zone NOT NULL',
  'column mail_letters.mailbox': 'text NOT NULL',
  'column mail_letters.message_id': 'uuid NOT NULL',
  'column mail_letters.position': 'smallint NOT NULL',
  'column mail_messages.account_id': 'uuid NOT NULL',
  'column mail_messages.amount': 'bigint',
  'column mail_messages.attempts': 'integer NOT NULL DEFAULT 0',
  'column mail_messages.change': 'jsonb',
  'column mail_messages.counted_at': 'timestamp with time zone',
  'column mail_messages.created_at': 'timestamp with time zone NOT NULL',
  'column mail_messages.document_id': 'uuid',
  'column mail_messages.fact': 'text NOT NULL',
  'column mail_messages.kind': 'text NOT NULL',
  'column mail_messages.message_id': 'uuid NOT NULL',
  'column mail_messages.next_attempt_at': 'timestamp with time zone',
  'column mail_messages.note': 'text',
  'column mail_messages.reason': 'text',
  'column mail_messages.recipients': 'text[] NOT NULL',
  'column mail_messages.settled_at': 'timestamp with time zone',
  'column mail_messages.status': 'text NOT NULL',
  'column mail_progress.only_row': 'boolean NOT NULL DEFAULT true',
  'column mail_progress.reminded_at': 'timestamp with time zone NOT NULL',
  'column mail_progress.through_xact': 'bigint NOT NULL',
  'column mail_refusals.account_id': 'uuid NOT NULL',
  'column mail_refusals.address': 'text NOT NULL',
  'column mail_refusals.refused_at': 'timestamp with time zone NOT NULL',
  'column mail_settings.account_id': 'uuid NOT NULL',
  'column mail_settings.answers_since': 'timestamp with time zone',
  'column mail_settings.documents_since': 'timestamp with time zone',
  'column mail_settings.receipts_since': 'timestamp with time zone',
  'column mail_settings.reminder_days': 'smallint[] NOT NULL',
  'column mail_settings.reminders_since': 'timestamp with time zone',
  'column mail_settings.updated_at': 'timestamp with time zone NOT NULL',
  'column mail_settings.version': 'integer NOT NULL',
  'column mandates.account_ending': 'text',
  'column mandates.account_id': 'uuid NOT NULL',
  'column mandates.activated_at': 'timestamp with time zone',
  'column mandates.asked_at': 'timestamp with time zone',
  'column mandates.automatic_since': 'timestamp with time zone',
  'column mandates.created_at': 'timestamp with time zone NOT NULL',
  'column mandates.currency': 'text NOT NULL',
  'column mandates.customer_id': 'uuid NOT NULL',
  'column mandates.ended_at': 'timestamp with time zone',
  'column mandates.failure': 'text',
  'column mandates.gateway': 'text NOT NULL',
  'column mandates.mandate_id': 'uuid NOT NULL',
  'column mandates.next_look_at': 'timestamp with time zone',
  'column mandates.provider_mandate_id': 'text',
  'column mandates.provider_request_id': 'text',
  'column mandates.reference': 'text',
  'column mandates.scheme': 'text',
  'column mandates.status': 'text NOT NULL',
  'column mandates.url': 'text',
  'column mandates.version': 'integer NOT NULL',
  'column migrations.id': "integer NOT NULL DEFAULT nextval('public.migrations_id_seq'::regclass)",
  'column migrations.name': 'character varying NOT NULL',
  'column migrations.timestamp': 'bigint NOT NULL',
  'column number_counters.account_id': 'uuid NOT NULL',
  'column number_counters.first_sequence': 'bigint NOT NULL',
  'column number_counters.last_sequence': 'bigint NOT NULL',
  'column number_counters.period': 'text NOT NULL',
  'column number_counters.series': 'text NOT NULL',
  'column number_series.account_id': 'uuid NOT NULL',
  'column number_series.created_at': 'timestamp with time zone NOT NULL',
  'column number_series.dates_in_order': 'boolean NOT NULL DEFAULT false',
  'column number_series.is_default': 'boolean NOT NULL',
  'column number_series.kind': 'text NOT NULL',
  'column number_series.pattern': 'text NOT NULL',
  'column number_series.reset': 'text NOT NULL',
  'column number_series.series': 'text NOT NULL',
  'column number_series.start_at': 'bigint NOT NULL',
  'column payment_links.account_id': 'uuid NOT NULL',
  'column payment_links.amount': 'bigint NOT NULL',
  'column payment_links.canceled_at': 'timestamp with time zone',
  'column payment_links.created_at': 'timestamp with time zone NOT NULL',
  'column payment_links.currency': 'text NOT NULL',
  'column payment_links.document_id': 'uuid NOT NULL',
  'column payment_links.expires_at': 'timestamp with time zone NOT NULL',
  'column payment_links.failed_at': 'timestamp with time zone',
  'column payment_links.failure': 'text',
  'column payment_links.gateway': 'text NOT NULL',
  'column payment_links.opened_xact': 'bigint',
  'column payment_links.page_expires_at': 'timestamp with time zone',
  'column payment_links.paid_at': 'timestamp with time zone',
  'column payment_links.payment_link_id': 'uuid NOT NULL',
  'column payment_links.processing_at': 'timestamp with time zone',
  'column payment_links.provider_object_id': 'text',
  'column payment_links.status': 'text NOT NULL',
  'column payment_links.url': 'text',
  'column payment_links.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column payment_list_reads.gateway': 'text NOT NULL',
  'column payment_list_reads.next_read_at': 'timestamp with time zone NOT NULL',
  'column payment_list_reads.read_to': 'timestamp with time zone NOT NULL',
  'column payment_reversals.account_id': 'uuid NOT NULL',
  'column payment_reversals.client_id': 'uuid NOT NULL',
  'column payment_reversals.payment_id': 'uuid NOT NULL',
  'column payment_reversals.reason': 'text',
  'column payment_reversals.reversed_at': 'timestamp with time zone NOT NULL',
  'column payment_reversals.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column payment_settings.account_id': 'uuid NOT NULL',
  'column payment_settings.refund_meaning': 'text',
  'column payment_settings.underpayment_tolerance': 'jsonb NOT NULL',
  'column payment_settings.updated_at': 'timestamp with time zone NOT NULL',
  'column payment_settings.version': 'integer NOT NULL',
  'column payments.account_id': 'uuid NOT NULL',
  'column payments.amount': 'bigint NOT NULL',
  'column payments.applied': 'bigint NOT NULL',
  'column payments.bank_entry_id': 'uuid',
  'column payments.booked_on': 'date',
  'column payments.client_id': 'uuid',
  'column payments.currency': 'text NOT NULL',
  'column payments.customer_id': 'uuid NOT NULL',
  'column payments.document_id': 'uuid',
  'column payments.fee': 'bigint',
  'column payments.gateway': 'text',
  'column payments.is_reversed': 'boolean NOT NULL DEFAULT false',
  'column payments.metadata': 'jsonb NOT NULL',
  'column payments.method': 'text NOT NULL',
  'column payments.note': 'text',
  'column payments.paid_at': 'timestamp with time zone NOT NULL',
  'column payments.payment_id': 'uuid NOT NULL',
  'column payments.payment_link_id': 'uuid',
  'column payments.provider_payment_id': 'text',
  'column payments.receipt_id': 'uuid',
  'column payments.recorded_at': 'timestamp with time zone NOT NULL',
  'column payments.reference': 'text',
  'column payments.returned': 'bigint NOT NULL DEFAULT 0',
  'column payments.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column payout_lines.account_id': 'uuid NOT NULL',
  'column payout_lines.amount': 'bigint NOT NULL',
  'column payout_lines.booked_fee': 'bigint NOT NULL',
  'column payout_lines.completes': 'integer',
  'column payout_lines.fee': 'bigint NOT NULL',
  'column payout_lines.is_reversed': 'boolean NOT NULL DEFAULT false',
  'column payout_lines.kind': 'text NOT NULL',
  'column payout_lines.payment_id': 'uuid',
  'column payout_lines.payout_id': 'uuid NOT NULL',
  'column payout_lines.position': 'integer NOT NULL',
  'column payout_lines.provider_id': 'text',
  'column payout_lines.receipt_id': 'uuid',
  'column payout_lines.refund_id': 'uuid',
  'column payout_lines.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column payout_undoings.account_id': 'uuid NOT NULL',
  'column payout_undoings.client_id': 'uuid',
  'column payout_undoings.kind': 'text NOT NULL',
  'column payout_undoings.payout_id': 'uuid NOT NULL',
  'column payout_undoings.reason': 'text',
  'column payout_undoings.recorded_at': 'timestamp with time zone NOT NULL',
  'column payout_undoings.undone_on': 'date NOT NULL',
  'column payout_undoings.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column payouts.account_id': 'uuid NOT NULL',
  'column payouts.amount': 'bigint NOT NULL',
  'column payouts.arrives_on': 'date',
  'column payouts.booked_fee': 'bigint NOT NULL',
  'column payouts.client_id': 'uuid',
  'column payouts.currency': 'text NOT NULL',
  'column payouts.descriptor': 'text',
  'column payouts.fee': 'bigint NOT NULL',
  'column payouts.gateway': 'text NOT NULL',
  'column payouts.lines': 'integer NOT NULL',
  'column payouts.payout_id': 'uuid NOT NULL',
  'column payouts.provider_payout_id': 'text NOT NULL',
  'column payouts.recorded_at': 'timestamp with time zone NOT NULL',
  'column payouts.sent_on': 'date NOT NULL',
  'column payouts.status': 'text NOT NULL',
  'column payouts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column pending_documents.account_id': 'uuid NOT NULL',
  'column pending_documents.created_at': 'timestamp with time zone NOT NULL',
  'column pending_documents.currency': 'text NOT NULL',
  'column pending_documents.document_id': 'uuid NOT NULL',
  'column pending_documents.due_date': 'date NOT NULL',
  'column pending_documents.total': 'bigint NOT NULL',
  'column period_closings.account_id': 'uuid NOT NULL',
  'column period_closings.action': 'text NOT NULL',
  'column period_closings.chart_version': 'integer',
  'column period_closings.closing_id': 'uuid NOT NULL',
  'column period_closings.decided_at': 'timestamp with time zone NOT NULL',
  'column period_closings.known_xact': 'bigint NOT NULL',
  'column period_closings.open_from': 'date NOT NULL',
  'column period_closings.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column portal_tokens.account_id': 'uuid NOT NULL',
  'column portal_tokens.created_at': 'timestamp with time zone NOT NULL',
  'column portal_tokens.document_id': 'uuid NOT NULL',
  'column portal_tokens.expires_at': 'timestamp with time zone NOT NULL',
  'column portal_tokens.first_viewed_at': 'timestamp with time zone',
  'column portal_tokens.last_viewed_at': 'timestamp with time zone',
  'column portal_tokens.portal_token_id': 'uuid NOT NULL',
  'column portal_tokens.revoked_at': 'timestamp with time zone',
  'column portal_tokens.token_sha256': 'bytea NOT NULL',
  'column provider_events.event_id': 'text NOT NULL',
  'column provider_events.event_type': 'text NOT NULL',
  'column provider_events.fingerprint': 'text',
  'column provider_events.gateway': 'text NOT NULL',
  'column provider_events.outcome': 'text NOT NULL',
  'column provider_events.received_at': 'timestamp with time zone NOT NULL',
  'column provider_events.review': 'text',
  'column provider_events.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column provider_failures.amount': 'bigint',
  'column provider_failures.currency': 'text',
  'column provider_failures.dispute_status': 'text',
  'column provider_failures.event_id': 'text NOT NULL',
  'column provider_failures.evidence_due_by': 'timestamp with time zone',
  'column provider_failures.failed_at': 'timestamp with time zone NOT NULL',
  'column provider_failures.fee': 'bigint',
  'column provider_failures.gateway': 'text NOT NULL',
  'column provider_failures.kind': 'text NOT NULL',
  'column provider_failures.provider_payment_id': 'text NOT NULL',
  'column provider_failures.reason': 'text NOT NULL',
  'column provider_failures.received_at': 'timestamp with time zone NOT NULL',
  'column provider_failures.reference': 'text',
  'column provider_failures.withdrawn': 'bigint',
  'column provider_failures.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column provider_payout_waits.gateway': 'text NOT NULL',
  'column provider_payout_waits.kind': 'text NOT NULL',
  'column provider_payout_waits.provider_id': 'text NOT NULL',
  'column provider_payout_waits.provider_payout_id': 'text NOT NULL',
  'column provider_payout_waits.since': 'timestamp with time zone NOT NULL',
  'column provider_payout_waits.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column provider_payouts.amount': 'bigint NOT NULL',
  'column provider_payouts.arrives_on': 'date',
  'column provider_payouts.currency': 'text NOT NULL',
  'column provider_payouts.descriptor': 'text',
  'column provider_payouts.event_id': 'text NOT NULL',
  'column provider_payouts.event_type': 'text NOT NULL',
  'column provider_payouts.fee': 'bigint NOT NULL',
  'column provider_payouts.gateway': 'text NOT NULL',
  'column provider_payouts.lines': 'jsonb NOT NULL',
  'column provider_payouts.provider_payout_id': 'text NOT NULL',
  'column provider_payouts.reason': 'text',
  'column provider_payouts.received_at': 'timestamp with time zone NOT NULL',
  'column provider_payouts.sent_on': 'date NOT NULL',
  'column provider_payouts.status': 'text NOT NULL',
  'column provider_payouts.told_at': 'timestamp with time zone NOT NULL',
  'column provider_payouts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column provider_receipts.account_id': 'uuid',
  'column provider_receipts.amount': 'bigint NOT NULL',
  'column provider_receipts.capture_reference': 'text',
  'column provider_receipts.currency': 'text NOT NULL',
  'column provider_receipts.event_id': 'text NOT NULL',
  'column provider_receipts.gateway': 'text NOT NULL',
  'column provider_receipts.link_reference': 'text',
  'column provider_receipts.paid_at': 'timestamp with time zone NOT NULL',
  'column provider_receipts.payment_id': 'uuid',
  'column provider_receipts.payment_link_id': 'uuid',
  'column provider_receipts.provider_payment_id': 'text NOT NULL',
  'column provider_receipts.received_at': 'timestamp with time zone NOT NULL',
  'column provider_receipts.unmatched_reason': 'text',
  'column provider_receipts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column provider_reversals.account_id': 'uuid NOT NULL',
  'column provider_reversals.amount': 'bigint NOT NULL',
  'column provider_reversals.currency': 'text NOT NULL',
  'column provider_reversals.dispute_id': 'uuid',
  'column provider_reversals.failed_at': 'timestamp with time zone NOT NULL',
  'column provider_reversals.from_credit': 'bigint NOT NULL',
  'column provider_reversals.gateway': 'text NOT NULL',
  'column provider_reversals.lost': 'bigint NOT NULL',
  'column provider_reversals.payment_id': 'uuid',
  'column provider_reversals.provider_payment_id': 'text NOT NULL',
  'column provider_reversals.reason': 'text NOT NULL',
  'column provider_reversals.receipt_id': 'uuid',
  'column provider_reversals.recorded_at': 'timestamp with time zone NOT NULL',
  'column provider_reversals.reference': 'text',
  'column provider_reversals.reversal_id': 'uuid NOT NULL',
  'column provider_reversals.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refresh_tokens.expires_at': 'timestamp with time zone NOT NULL',
  'column refresh_tokens.family_id': 'uuid NOT NULL',
  'column refresh_tokens.issued_at': 'timestamp with time zone NOT NULL',
  'column refresh_tokens.token_sha256': 'bytea NOT NULL',
  'column refresh_tokens.used_at': 'timestamp with time zone',
  'column refund_credit_notes.account_id': 'uuid NOT NULL',
  'column refund_credit_notes.credit_note_id': 'uuid NOT NULL',
  'column refund_credit_notes.document_id': 'uuid NOT NULL',
  'column refund_credit_notes.made_at': 'timestamp with time zone NOT NULL',
  'column refund_credit_notes.refund_id': 'uuid NOT NULL',
  'column refund_credit_notes.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refund_meanings.account_id': 'uuid NOT NULL',
  'column refund_meanings.client_id': 'uuid',
  'column refund_meanings.credit_note': 'jsonb',
  'column refund_meanings.meaning': 'text NOT NULL',
  'column refund_meanings.problem': 'text',
  'column refund_meanings.refund_id': 'uuid NOT NULL',
  'column refund_meanings.said_at': 'timestamp with time zone NOT NULL',
  'column refund_meanings.said_by': 'text NOT NULL',
  'column refund_meanings.step': 'integer NOT NULL',
  'column refund_meanings.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refund_names.account_id': 'uuid NOT NULL',
  'column refund_names.amount': 'bigint NOT NULL',
  'column refund_names.gateway': 'text NOT NULL',
  'column refund_names.named_at': 'timestamp with time zone NOT NULL',
  'column refund_names.provider_refund_id': 'text NOT NULL',
  'column refund_names.refund_id': 'uuid NOT NULL',
  'column refund_names.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refund_parts.account_id': 'uuid NOT NULL',
  'column refund_parts.amount': 'bigint NOT NULL',
  'column refund_parts.document_id': 'uuid NOT NULL',
  'column refund_parts.refund_id': 'uuid NOT NULL',
  'column refund_parts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refund_requests.account_id': 'uuid NOT NULL',
  'column refund_requests.refund_id': 'uuid NOT NULL',
  'column refund_requests.request_sha256': 'bytea NOT NULL',
  'column refund_requests.requested_at': 'timestamp with time zone NOT NULL',
  'column refund_requests.scope': 'bytea NOT NULL',
  'column refund_undoings.account_id': 'uuid NOT NULL',
  'column refund_undoings.booked_on': 'date',
  'column refund_undoings.client_id': 'uuid',
  'column refund_undoings.kind': 'text NOT NULL',
  'column refund_undoings.reason': 'text',
  'column refund_undoings.refund_id': 'uuid NOT NULL',
  'column refund_undoings.undone_at': 'timestamp with time zone NOT NULL',
  'column refund_undoings.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column refunds.account_id': 'uuid NOT NULL',
  'column refunds.amount': 'bigint NOT NULL',
  'column refunds.attempts': 'integer NOT NULL DEFAULT 0',
  'column refunds.booked_on': 'date',
  'column refunds.client_id': 'uuid',
  'column refunds.credit_kept': 'bigint NOT NULL DEFAULT 0',
  'column refunds.currency': 'text NOT NULL',
  'column refunds.customer_id': 'uuid',
  'column refunds.failure': 'text',
  'column refunds.from_credit': 'bigint NOT NULL DEFAULT 0',
  'column refunds.gateway': 'text',
  'column refunds.lost': 'bigint NOT NULL DEFAULT 0',
  'column refunds.method': 'text NOT NULL',
  'column refunds.next_look_at': 'timestamp with time zone',
  'column refunds.paid_from': 'text NOT NULL',
  'column refunds.payment_id': 'uuid',
  'column refunds.provider_refund_id': 'text',
  'column refunds.reason': 'text',
  'column refunds.receipt_id': 'uuid',
  'column refunds.reference': 'text',
  'column refunds.refund_id': 'uuid NOT NULL',
  'column refunds.requested_at': 'timestamp with time zone NOT NULL',
  'column refunds.settled_at': 'timestamp with time zone',
  'column refunds.settled_xact': 'bigint',
  'column refunds.status': 'text NOT NULL',
  'column refunds.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column revocations.below_version': 'integer',
  'column revocations.client_id': 'uuid NOT NULL',
  'column revocations.family_id': 'uuid',
  'column revocations.revocation_id': 'uuid NOT NULL',
  'column revocations.revoked_at': 'timestamp with time zone NOT NULL',
  'column revocations.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column seal_heads.account_id': 'uuid NOT NULL',
  'column seal_heads.digest': 'bytea NOT NULL',
  'column seal_heads.sequence': 'bigint NOT NULL',
  'column seal_heads.through_xact': 'bigint NOT NULL',
  'column seals.account_id': 'uuid NOT NULL',
  'column seals.contents': 'jsonb NOT NULL',
  'column seals.digest': 'bytea NOT NULL',
  'column seals.from_xact': 'bigint NOT NULL',
  'column seals.rows': 'bigint NOT NULL',
  'column seals.sealed_at': 'timestamp with time zone NOT NULL',
  'column seals.sequence': 'bigint NOT NULL',
  'column seals.through_xact': 'bigint NOT NULL',
  'column seals.version': 'smallint NOT NULL',
  'column seals_seen.account_id': 'uuid NOT NULL',
  'column seals_seen.digest': 'bytea NOT NULL',
  'column seals_seen.seen_at': 'timestamp with time zone NOT NULL',
  'column seals_seen.sequence': 'bigint NOT NULL',
  'column seller_logos.account_id': 'uuid NOT NULL',
  'column seller_logos.content_type': 'text NOT NULL',
  'column seller_logos.created_at': 'timestamp with time zone NOT NULL',
  'column seller_logos.height': 'integer NOT NULL',
  'column seller_logos.image': 'bytea NOT NULL',
  'column seller_logos.sha256': 'bytea NOT NULL',
  'column seller_logos.width': 'integer NOT NULL',
  'column tax_rates.account_id': 'uuid NOT NULL',
  'column tax_rates.archived_at': 'timestamp with time zone',
  'column tax_rates.country': 'text',
  'column tax_rates.created_at': 'timestamp with time zone NOT NULL',
  'column tax_rates.description': 'text',
  'column tax_rates.exemption_code': 'text',
  'column tax_rates.exemption_reason': 'text',
  'column tax_rates.metadata': 'jsonb NOT NULL',
  'column tax_rates.name': 'text NOT NULL',
  'column tax_rates.tax_category': 'text NOT NULL',
  'column tax_rates.tax_rate': 'numeric NOT NULL',
  'column tax_rates.tax_rate_id': 'uuid NOT NULL',
  'column tax_rates.updated_at': 'timestamp with time zone NOT NULL',
  'column tax_rates.version': 'integer NOT NULL',
  'column tax_reliefs.account_id': 'uuid NOT NULL',
  'column tax_reliefs.base': 'bigint NOT NULL',
  'column tax_reliefs.currency': 'text NOT NULL',
  'column tax_reliefs.document_id': 'uuid NOT NULL',
  'column tax_reliefs.effective_on': 'date NOT NULL',
  'column tax_reliefs.loss': 'text',
  'column tax_reliefs.recorded_at': 'timestamp with time zone NOT NULL',
  'column tax_reliefs.relief_id': 'uuid NOT NULL',
  'column tax_reliefs.tax': 'bigint NOT NULL',
  'column tax_reliefs.tax_category': 'text NOT NULL',
  'column tax_reliefs.tax_rate': 'numeric NOT NULL',
  'column tax_reliefs.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column token_families.account_id': 'uuid NOT NULL',
  'column token_families.client_id': 'uuid NOT NULL',
  'column token_families.ends_at': 'timestamp with time zone NOT NULL',
  'column token_families.family_id': 'uuid NOT NULL',
  'column token_families.revoked_at': 'timestamp with time zone',
  'column token_families.scopes': 'text[] NOT NULL',
  'column token_families.started_at': 'timestamp with time zone NOT NULL',
  'column transfers.account_id': 'uuid NOT NULL',
  'column transfers.amount': 'bigint NOT NULL',
  'column transfers.credit': 'public.ledger_account NOT NULL',
  'column transfers.currency': 'text NOT NULL',
  'column transfers.customer_id': 'uuid',
  'column transfers.debit': 'public.ledger_account NOT NULL',
  'column transfers.document_id': 'uuid',
  'column transfers.effective_on': 'date NOT NULL',
  'column transfers.fact': 'public.ledger_fact NOT NULL',
  'column transfers.fact_id': 'uuid NOT NULL',
  'column transfers.recorded_at': 'timestamp with time zone NOT NULL',
  'column transfers.transfer_id': 'uuid NOT NULL',
  'column transfers.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column unmatched_item_steps.account_id': 'uuid NOT NULL',
  'column unmatched_item_steps.at': 'timestamp with time zone NOT NULL',
  'column unmatched_item_steps.client_id': 'uuid',
  'column unmatched_item_steps.item_id': 'uuid NOT NULL',
  'column unmatched_item_steps.reason': 'text NOT NULL',
  'column unmatched_item_steps.status': 'text NOT NULL',
  'column unmatched_item_steps.step': 'integer NOT NULL',
  'column unmatched_item_steps.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column unmatched_items.account_id': 'uuid NOT NULL',
  'column unmatched_items.amount': 'bigint',
  'column unmatched_items.currency': 'text',
  'column unmatched_items.direction': 'text NOT NULL',
  'column unmatched_items.event_id': 'text NOT NULL',
  'column unmatched_items.event_type': 'text NOT NULL',
  'column unmatched_items.gateway': 'text NOT NULL',
  'column unmatched_items.item_id': 'uuid NOT NULL',
  'column unmatched_items.link_reference': 'text',
  'column unmatched_items.provider_payment_id': 'text',
  'column unmatched_items.received_at': 'timestamp with time zone NOT NULL',
  'column unmatched_items.subject': 'text NOT NULL',
  'column unmatched_items.told': 'text NOT NULL',
  'column unmatched_items.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column unmatched_receipts.account_id': 'uuid NOT NULL',
  'column unmatched_receipts.amount': 'bigint NOT NULL',
  'column unmatched_receipts.booked_fee': 'bigint NOT NULL DEFAULT 0',
  'column unmatched_receipts.currency': 'text NOT NULL',
  'column unmatched_receipts.document_id': 'uuid',
  'column unmatched_receipts.fee': 'bigint',
  'column unmatched_receipts.gateway': 'text NOT NULL',
  'column unmatched_receipts.link_reference': 'text',
  'column unmatched_receipts.paid_at': 'timestamp with time zone NOT NULL',
  'column unmatched_receipts.payment_link_id': 'uuid',
  'column unmatched_receipts.provider_payment_id': 'text NOT NULL',
  'column unmatched_receipts.reason': 'text NOT NULL',
  'column unmatched_receipts.receipt_id': 'uuid NOT NULL',
  'column unmatched_receipts.received_at': 'timestamp with time zone NOT NULL',
  'column unmatched_receipts.settled': 'bigint NOT NULL DEFAULT 0',
  'column unmatched_receipts.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'column vat_methods.account_id': 'uuid NOT NULL',
  'column vat_methods.decided_at': 'timestamp with time zone NOT NULL',
  'column vat_methods.from_day': 'date NOT NULL',
  'column vat_methods.method': 'text NOT NULL',
  'column vat_methods.method_id': 'uuid NOT NULL',
  'column vat_methods.xact': 'bigint NOT NULL DEFAULT public.book_xact()',
  'constraint PK_8c82d7f526340ab734260ea46be on migrations': 'PRIMARY KEY (id)',
  'constraint accounts_account_id_default_tax_rate_id_fkey on accounts':
    'FOREIGN KEY (account_id, default_tax_rate_id) REFERENCES public.tax_rates(account_id, tax_rate_id)',
  'constraint accounts_base_currency_is_a_code on accounts':
    "CHECK ((base_currency ~ '^[A-Z]{3}$'::text))",
  'constraint accounts_currency_is_a_code on accounts': "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint accounts_document_notes_not_too_long on accounts':
    'CHECK ((length(document_notes) <= 5000))',
  'constraint accounts_issue_at_most_a_year_ahead on accounts':
    'CHECK (((issue_days_ahead >= 0) AND (issue_days_ahead <= 366)))',
  'constraint accounts_mode_known on accounts':
    "CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))",
  'constraint accounts_name_not_empty on accounts': "CHECK ((name <> ''::text))",
  'constraint accounts_open_within_the_books on accounts':
    'CHECK ((books_open_from >= books_from))',
  'constraint accounts_payment_terms_at_most_ten_years on accounts':
    'CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 3650)))',
  'constraint accounts_pkey on accounts': 'PRIMARY KEY (account_id)',
  'constraint accounts_version_from_one on accounts': 'CHECK ((version > 0))',
  'constraint allocations_account_id_document_id_currency_fkey on allocations':
    'FOREIGN KEY (account_id, document_id, currency) REFERENCES public.documents(account_id, document_id, currency)',
  'constraint allocations_account_id_payment_id_fkey on allocations':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint allocations_amount_not_zero on allocations': 'CHECK ((amount <> 0))',
  'constraint allocations_only_moves_are_dated on allocations':
    "CHECK (((counts_on IS NULL) OR (reason = 'move'::text)))",
  'constraint allocations_pkey on allocations': 'PRIMARY KEY (account_id, allocation_id)',
  'constraint allocations_reason_known on allocations':
    "CHECK ((reason = ANY (ARRAY['receipt'::text, 'move'::text, 'reversal'::text])))",
  'constraint api_clients_account_id_fkey on api_clients':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint api_clients_addresses_are_few on api_clients':
    'CHECK (((cardinality(addresses) >= 1) AND (cardinality(addresses) <= 20)))',
  'constraint api_clients_had_its_addresses on api_clients':
    'CHECK (((had_addresses IS NULL) OR (addresses IS NOT NULL)))',
  'constraint api_clients_had_its_end on api_clients':
    'CHECK (((had_expires_at IS NULL) OR COALESCE((expires_at <= had_expires_at), false)))',
  'constraint api_clients_had_its_scopes on api_clients': 'CHECK ((scopes <@ had_scopes))',
  'constraint api_clients_name_not_empty on api_clients': "CHECK ((name <> ''::text))",
  'constraint api_clients_pkey on api_clients': 'PRIMARY KEY (client_id)',
  'constraint api_clients_previous_secret_ends on api_clients':
    'CHECK (((previous_secret_sha256 IS NULL) = (previous_secret_ends_at IS NULL)))',
  'constraint api_clients_previous_secret_is_a_digest on api_clients':
    'CHECK ((length(previous_secret_sha256) = 32))',
  'constraint api_clients_secret_is_a_digest on api_clients':
    'CHECK ((length(secret_sha256) = 32))',
  'constraint api_clients_version_from_one on api_clients': 'CHECK ((version > 0))',
  'constraint audit_entries_action_is_dotted on audit_entries':
    "CHECK ((action ~ '^[a-z_-]+([.][a-z_-]+)+$'::text))",
  'constraint audit_entries_actor_type_known on audit_entries':
    "CHECK ((actor_type = ANY (ARRAY['client'::text, 'portal'::text, 'gateway'::text, 'operator'::text, 'none'::text])))",
  'constraint audit_entries_after_is_an_object on audit_entries':
    "CHECK ((jsonb_typeof(after) = 'object'::text))",
  'constraint audit_entries_before_is_an_object on audit_entries':
    "CHECK ((jsonb_typeof(before) = 'object'::text))",
  'constraint audit_entries_nobody_has_no_id on audit_entries':
    "CHECK (((actor_type <> 'none'::text) OR (actor_id IS NULL)))",
  'constraint audit_entries_occurrences_from_one on audit_entries': 'CHECK ((occurrences > 0))',
  'constraint audit_entries_pkey on audit_entries': 'PRIMARY KEY (account_id, entry_id)',
  'constraint audit_entries_subject_length on audit_entries':
    'CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))',
  'constraint bank_entries_account_id_payment_id_fkey on bank_entries':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint bank_entries_account_id_payout_id_fkey on bank_entries':
    'FOREIGN KEY (account_id, payout_id) REFERENCES public.payouts(account_id, payout_id)',
  'constraint bank_entries_account_id_statement_id_fkey on bank_entries':
    'FOREIGN KEY (account_id, statement_id) REFERENCES public.bank_statements(account_id, statement_id)',
  'constraint bank_entries_account_known on bank_entries':
    "CHECK ((ledger_account = ANY (ARRAY['bank_fees'::text, 'other_expenses'::text, 'other_income'::text, 'opening_balances'::text, 'gateway_clearing'::text, 'currency_exchange'::text, 'payouts_in_transit'::text])))",
  'constraint bank_entries_amount_not_negative on bank_entries': 'CHECK ((amount >= 0))',
  'constraint bank_entries_batch_has_its_amount on bank_entries':
    'CHECK (((batch_key IS NULL) OR (batch_amount IS NOT NULL)))',
  'constraint bank_entries_batch_key_is_a_digest on bank_entries':
    'CHECK ((octet_length(batch_key) = 32))',
  'constraint bank_entries_booked_has_its_payment on bank_entries':
    "CHECK (((status = ANY (ARRAY['booked'::text, 'recorded'::text, 'returned'::text])) = (payment_id IS NOT NULL)))",
  'constraint bank_entries_currency_is_a_code on bank_entries':
    "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint bank_entries_debit_is_no_payment on bank_entries':
    "CHECK (\nCASE direction\n    WHEN 'debit'::text THEN (status = ANY (ARRAY['debit'::text, 'returned'::text, 'posted'::text, 'replaced'::text, 'withdrawn'::text]))\n    ELSE (status <> ALL (ARRAY['debit'::text, 'returned'::text]))\nEND)",
  'constraint bank_entries_direction_known on bank_entries':
    "CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text])))",
  'constraint bank_entries_key_is_a_digest on bank_entries':
    'CHECK ((octet_length(entry_key) = 32))',
  'constraint bank_entries_matched_when_judged on bank_entries':
    "CHECK (((status = ANY (ARRAY['unmatched'::text, 'debit'::text])) OR (judged_at IS NOT NULL)))",
  'constraint bank_entries_payout_is_in_transit on bank_entries':
    "CHECK (((payout_id IS NOT NULL) = (NOT (ledger_account IS DISTINCT FROM 'payouts_in_transit'::text))))",
  'constraint bank_entries_pkey on bank_entries': 'PRIMARY KEY (account_id, entry_id)',
  'constraint bank_entries_posted_has_its_account on bank_entries':
    "CHECK (((status = 'posted'::text) = (ledger_account IS NOT NULL)))",
  'constraint bank_entries_status_known on bank_entries':
    "CHECK ((status = ANY (ARRAY['booked'::text, 'recorded'::text, 'returned'::text, 'posted'::text, 'proposed'::text, 'unmatched'::text, 'ignored'::text, 'debit'::text, 'replaced'::text, 'withdrawn'::text])))",
  'constraint bank_entry_mentions_account_id_entry_id_fkey on bank_entry_mentions':
    'FOREIGN KEY (account_id, entry_id) REFERENCES public.bank_entries(account_id, entry_id)',
  'constraint bank_entry_mentions_account_id_statement_id_fkey on bank_entry_mentions':
    'FOREIGN KEY (account_id, statement_id) REFERENCES public.bank_statements(account_id, statement_id)',
  'constraint bank_entry_mentions_pkey on bank_entry_mentions':
    'PRIMARY KEY (account_id, entry_id, statement_id)',
  'constraint bank_file_mappings_account on bank_file_mappings':
    'UNIQUE (account_id, bank_account)',
  'constraint bank_file_mappings_account_id_fkey on bank_file_mappings':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint bank_file_mappings_bank_account_not_empty on bank_file_mappings':
    "CHECK ((bank_account <> ''::text))",
  'constraint bank_file_mappings_header_not_empty on bank_file_mappings':
    'CHECK ((cardinality(header) > 0))',
  'constraint bank_file_mappings_hints_are_an_object on bank_file_mappings':
    "CHECK ((jsonb_typeof(hints) = 'object'::text))",
  'constraint bank_file_mappings_pkey on bank_file_mappings':
    'PRIMARY KEY (account_id, mapping_id)',
  'constraint bank_file_mappings_say_something on bank_file_mappings':
    "CHECK (((hints <> '{}'::jsonb) AND (NOT (hints ? 'account'::text))))",
  'constraint bank_statements_account_id_fkey on bank_statements':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint bank_statements_entries_not_negative on bank_statements': 'CHECK ((entries >= 0))',
  'constraint bank_statements_format_known on bank_statements':
    "CHECK ((format = ANY (ARRAY['camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'csv'::text, 'mt940'::text])))",
  'constraint bank_statements_hints_are_an_object on bank_statements':
    "CHECK ((jsonb_typeof(hints) = 'object'::text))",
  'constraint bank_statements_known_within_entries on bank_statements':
    'CHECK (((known_before >= 0) AND (known_before <= entries)))',
  'constraint bank_statements_pending_not_negative on bank_statements': 'CHECK ((pending >= 0))',
  'constraint bank_statements_pkey on bank_statements': 'PRIMARY KEY (account_id, statement_id)',
  'constraint bank_statements_rejected_not_negative on bank_statements': 'CHECK ((rejected >= 0))',
  'constraint bank_statements_sections_are_a_list on bank_statements':
    "CHECK ((jsonb_typeof(sections) = 'array'::text))",
  'constraint bank_statements_sha256_is_a_digest on bank_statements':
    'CHECK ((octet_length(sha256) = 32))',
  'constraint chart_settings_account_id_fkey on chart_settings':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint chart_settings_cash_accounts_are_a_list on chart_settings':
    "CHECK ((jsonb_typeof(cash_accounts) = 'array'::text))",
  'constraint chart_settings_numbers_are_an_object on chart_settings':
    "CHECK ((jsonb_typeof(numbers) = 'object'::text))",
  'constraint chart_settings_pkey on chart_settings': 'PRIMARY KEY (account_id, version)',
  'constraint chart_settings_revenue_is_a_list on chart_settings':
    "CHECK ((jsonb_typeof(revenue) = 'array'::text))",
  'constraint chart_settings_template_known on chart_settings':
    "CHECK ((template = ANY (ARRAY['plain'::text, 'skr03'::text, 'skr04'::text])))",
  'constraint chart_settings_version_from_one on chart_settings': 'CHECK ((version > 0))',
  'constraint checkout_look_ups_account_id_payment_link_id_fkey on checkout_look_ups':
    'FOREIGN KEY (account_id, payment_link_id) REFERENCES public.payment_links(account_id, payment_link_id)',
  'constraint checkout_look_ups_pkey on checkout_look_ups':
    'PRIMARY KEY (account_id, payment_link_id)',
  'constraint collections_account_id_mandate_id_fkey on collections':
    'FOREIGN KEY (account_id, mandate_id) REFERENCES public.mandates(account_id, mandate_id)',
  'constraint collections_account_id_payment_link_id_document_id_fkey on collections':
    'FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES public.payment_links(account_id, payment_link_id, document_id)',
  'constraint collections_pkey on collections': 'PRIMARY KEY (account_id, payment_link_id)',
  'constraint conversions_account_id_payment_id_fkey on conversions':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint conversions_account_id_refund_id_fkey on conversions':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint conversions_amount_within_limits on conversions':
    "CHECK (((amount >= 1) AND (amount <= '10000000000000'::bigint)))",
  'constraint conversions_currency_is_a_code on conversions':
    "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint conversions_of_a_payment_or_a_refund on conversions':
    'CHECK (((num_nonnulls(payment_id, refund_id) = 1) AND (conversion_id = COALESCE(payment_id, refund_id))))',
  'constraint conversions_pkey on conversions': 'PRIMARY KEY (account_id, conversion_id)',
  'constraint conversions_rate_above_zero on conversions': 'CHECK ((exchange_rate > (0)::numeric))',
  'constraint conversions_rate_from_known on conversions':
    "CHECK ((rate_from = ANY (ARRAY['stated'::text, 'table'::text])))",
  'constraint conversions_rate_of_the_table_has_its_day on conversions':
    "CHECK (((rate_from = 'table'::text) = (rate_day IS NOT NULL)))",
  'constraint conversions_rate_of_the_table_has_its_source on conversions':
    "CHECK (((rate_from = 'stated'::text) OR (rate_source IS NOT NULL)))",
  'constraint conversions_rate_source_not_too_long on conversions':
    'CHECK ((length(rate_source) <= 250))',
  'constraint conversions_two_currencies on conversions': 'CHECK ((currency <> worth_currency))',
  'constraint conversions_worth_currency_is_a_code on conversions':
    "CHECK ((worth_currency ~ '^[A-Z]{3}$'::text))",
  'constraint conversions_worth_within_limits on conversions':
    "CHECK (((worth >= 1) AND (worth <= '10000000000000'::bigint)))",
  'constraint credited_lines_account_id_credit_note_id_fkey on credited_lines':
    'FOREIGN KEY (account_id, credit_note_id) REFERENCES public.documents(account_id, document_id)',
  'constraint credited_lines_account_id_invoice_id_position_fkey on credited_lines':
    'FOREIGN KEY (account_id, invoice_id, "position") REFERENCES public.document_lines(account_id, document_id, "position")',
  'constraint credited_lines_amount_not_zero on credited_lines': 'CHECK ((amount <> 0))',
  'constraint credited_lines_pkey on credited_lines':
    'PRIMARY KEY (account_id, credit_note_id, "position")',
  'constraint credited_lines_position_from_one on credited_lines': 'CHECK (("position" > 0))',
  'constraint credited_lines_signs_agree on credited_lines':
    'CHECK (((quantity <> (0)::numeric) AND ((quantity < (0)::numeric) = (amount < 0))))',
  'constraint customer_balances_account_id_customer_id_fkey on customer_balances':
    'FOREIGN KEY (account_id, customer_id) REFERENCES public.customers(account_id, customer_id)',
  'constraint customer_balances_not_negative on customer_balances': 'CHECK ((credit >= reserved))',
  'constraint customer_balances_pkey on customer_balances':
    'PRIMARY KEY (account_id, customer_id, currency)',
  'constraint customer_balances_reserved_not_negative on customer_balances':
    'CHECK ((reserved >= 0))',
  'constraint customer_credits_account_id_credit_note_id_fkey on customer_credits':
    'FOREIGN KEY (account_id, credit_note_id) REFERENCES public.documents(account_id, document_id)',
  'constraint customer_credits_account_id_customer_id_fkey on customer_credits':
    'FOREIGN KEY (account_id, customer_id) REFERENCES public.customers(account_id, customer_id)',
  'constraint customer_credits_account_id_payment_id_fkey on customer_credits':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint customer_credits_amount_not_zero on customer_credits': 'CHECK ((amount <> 0))',
  'constraint customer_credits_from_payment_or_credit_note on customer_credits':
    'CHECK (((payment_id IS NULL) <> (credit_note_id IS NULL)))',
  'constraint customer_credits_pkey on customer_credits': 'PRIMARY KEY (account_id, credit_id)',
  'constraint customers_account_id_fkey on customers':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint customers_cash_discounts_is_a_list on customers':
    "CHECK ((jsonb_typeof(cash_discounts) = 'array'::text))",
  'constraint customers_currency_is_a_code on customers': "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint customers_external_id_not_empty on customers': "CHECK ((external_id <> ''::text))",
  'constraint customers_payment_terms_at_most_ten_years on customers':
    'CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 3650)))',
  'constraint customers_pkey on customers': 'PRIMARY KEY (account_id, customer_id)',
  'constraint customers_version_from_one on customers': 'CHECK ((version > 0))',
  'constraint debtors_account_id_customer_id_fkey on debtors':
    'FOREIGN KEY (account_id, customer_id) REFERENCES public.customers(account_id, customer_id)',
  'constraint debtors_account_id_place_key on debtors': 'UNIQUE (account_id, place)',
  'constraint debtors_begin_with_one on debtors': 'CHECK ((place > 0))',
  'constraint debtors_pkey on debtors': 'PRIMARY KEY (account_id, customer_id)',
  'constraint dispute_parts_account_id_dispute_id_step_fkey on dispute_parts':
    'FOREIGN KEY (account_id, dispute_id, step) REFERENCES public.dispute_steps(account_id, dispute_id, step)',
  'constraint dispute_parts_account_id_document_id_fkey on dispute_parts':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint dispute_parts_account_id_payment_id_fkey on dispute_parts':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint dispute_parts_amount_not_zero on dispute_parts': 'CHECK ((amount <> 0))',
  'constraint dispute_parts_pkey on dispute_parts':
    'PRIMARY KEY (account_id, dispute_id, step, document_id)',
  'constraint dispute_steps_account_id_dispute_id_fkey on dispute_steps':
    'FOREIGN KEY (account_id, dispute_id) REFERENCES public.disputes(account_id, dispute_id)',
  'constraint dispute_steps_account_id_payment_id_fkey on dispute_steps':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint dispute_steps_account_id_receipt_id_fkey on dispute_steps':
    'FOREIGN KEY (account_id, receipt_id) REFERENCES public.unmatched_receipts(account_id, receipt_id)',
  'constraint dispute_steps_adopted_not_negative on dispute_steps': 'CHECK ((adopted >= 0))',
  'constraint dispute_steps_amount_positive on dispute_steps': 'CHECK ((amount > 0))',
  'constraint dispute_steps_from_one on dispute_steps': 'CHECK ((step > 0))',
  'constraint dispute_steps_of_payment_or_receipt on dispute_steps':
    'CHECK (((payment_id IS NULL) <> (receipt_id IS NULL)))',
  'constraint dispute_steps_pkey on dispute_steps': 'PRIMARY KEY (account_id, dispute_id, step)',
  'constraint dispute_steps_status_known on dispute_steps':
    "CHECK ((status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text])))",
  'constraint disputes_of_provider on disputes':
    'UNIQUE (account_id, gateway, provider_dispute_id)',
  'constraint disputes_pkey on disputes': 'PRIMARY KEY (account_id, dispute_id)',
  'constraint document_contents_account_id_document_id_fkey on document_contents':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id) ON DELETE CASCADE',
  'constraint document_contents_pkey on document_contents': 'PRIMARY KEY (account_id, document_id)',
  'constraint document_lines_account_id_credited_line_id_fkey on document_lines':
    'FOREIGN KEY (account_id, credited_line_id) REFERENCES public.document_lines(account_id, line_id)',
  'constraint document_lines_account_id_document_id_fkey on document_lines':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id) ON DELETE CASCADE',
  'constraint document_lines_account_id_item_id_fkey on document_lines':
    'FOREIGN KEY (account_id, item_id) REFERENCES public.items(account_id, item_id)',
  'constraint document_lines_account_id_tax_rate_id_fkey on document_lines':
    'FOREIGN KEY (account_id, tax_rate_id) REFERENCES public.tax_rates(account_id, tax_rate_id)',
  'constraint document_lines_external_id_not_empty on document_lines':
    "CHECK ((external_id <> ''::text))",
  'constraint document_lines_line_id_key on document_lines': 'UNIQUE (account_id, line_id)',
  'constraint document_lines_pkey on document_lines':
    'PRIMARY KEY (account_id, document_id, "position")',
  'constraint document_lines_position_from_one on document_lines': 'CHECK (("position" > 0))',
  'constraint document_lines_signs_agree on document_lines':
    'CHECK (\nCASE\n    WHEN (quantity < (0)::numeric) THEN ((amount <= 0) AND (net <= 0))\n    ELSE ((amount >= 0) AND (net >= 0))\nEND)',
  'constraint document_lines_sku_not_empty on document_lines': "CHECK ((sku <> ''::text))",
  'constraint document_lines_tax_rate_is_a_percentage on document_lines':
    'CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))',
  'constraint document_lines_unit_amount_not_negative on document_lines':
    'CHECK ((unit_amount >= (0)::numeric))',
  'constraint document_pdfs_account_id_document_id_fkey on document_pdfs':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint document_pdfs_pkey on document_pdfs':
    'PRIMARY KEY (account_id, document_id, language)',
  'constraint document_pdfs_sha256_is_a_digest on document_pdfs': 'CHECK ((length(sha256) = 32))',
  'constraint document_tax_groups_account_id_document_id_fkey on document_tax_groups':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id) ON DELETE CASCADE',
  'constraint document_tax_groups_base_not_negative on document_tax_groups': 'CHECK ((base >= 0))',
  'constraint document_tax_groups_pkey on document_tax_groups':
    'PRIMARY KEY (account_id, document_id, tax_category, tax_rate)',
  'constraint document_tax_groups_tax_not_negative on document_tax_groups': 'CHECK ((tax >= 0))',
  'constraint documents_account_id_customer_id_fkey on documents':
    'FOREIGN KEY (account_id, customer_id) REFERENCES public.customers(account_id, customer_id)',
  'constraint documents_account_id_fkey on documents':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint documents_account_id_origin_document_id_fkey on documents':
    'FOREIGN KEY (account_id, origin_document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint documents_currency on documents': 'UNIQUE (account_id, document_id, currency)',
  'constraint documents_event_sequence_not_negative on documents': 'CHECK ((event_sequence >= 0))',
  'constraint documents_external_id on documents': 'UNIQUE (account_id, external_id)',
  'constraint documents_money on documents':
    'CHECK (public.document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total, net_total, tax_total, rounding, total, amount_paid, amount_refunded, amount_waived, amount_credited, credit_notes_total, amount_applied, amount_disputed, amount_processing, tax_relief, settled_at))',
  'constraint documents_number on documents': 'UNIQUE (account_id, kind, number)',
  'constraint documents_number_counter on documents':
    'FOREIGN KEY (account_id, number_series, number_period) REFERENCES public.number_counters(account_id, series, period)',
  'constraint documents_number_sequence on documents':
    'UNIQUE (account_id, number_series, number_period, number_sequence)',
  'constraint documents_pkey on documents': 'PRIMARY KEY (account_id, document_id)',
  'constraint documents_version_from_one on documents': 'CHECK ((version > 0))',
  'constraint events_actor_type_known on events':
    "CHECK ((actor_type = ANY (ARRAY['client'::text, 'portal'::text, 'gateway'::text, 'operator'::text])))",
  'constraint events_document_sequence on events': 'UNIQUE (account_id, document_id, sequence)',
  'constraint events_pkey on events': 'PRIMARY KEY (account_id, event_id)',
  'constraint events_sequence_from_one on events': 'CHECK ((sequence > 0))',
  'constraint events_sequence_only_with_a_document on events':
    'CHECK (((document_id IS NULL) = (sequence IS NULL)))',
  'constraint exchange_rates_above_zero on exchange_rates':
    "CHECK (((rate > (0)::numeric) AND (rate < '1000000000000'::numeric)))",
  'constraint exchange_rates_account_id_fkey on exchange_rates':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint exchange_rates_base_is_a_code on exchange_rates':
    "CHECK ((base ~ '^[A-Z]{3}$'::text))",
  'constraint exchange_rates_pkey on exchange_rates': 'PRIMARY KEY (account_id, rate_id)',
  'constraint exchange_rates_quote_is_a_code on exchange_rates':
    "CHECK ((quote ~ '^[A-Z]{3}$'::text))",
  'constraint exchange_rates_revision on exchange_rates':
    'UNIQUE (account_id, base, quote, day, revision)',
  'constraint exchange_rates_revision_from_one on exchange_rates': 'CHECK ((revision > 0))',
  'constraint exchange_rates_source_not_too_long on exchange_rates':
    'CHECK (((length(source) >= 1) AND (length(source) <= 100)))',
  'constraint exchange_rates_two_currencies on exchange_rates': 'CHECK ((base <> quote))',
  'constraint gateway_deliveries_accepted_is_due on gateway_deliveries':
    "CHECK (((outcome = 'accepted'::text) = (next_try_at IS NOT NULL)))",
  'constraint gateway_deliveries_counts_not_negative on gateway_deliveries':
    'CHECK (((reports >= 0) AND (replays >= 0) AND (attempts >= 0)))',
  'constraint gateway_deliveries_due_is_unfinished on gateway_deliveries':
    'CHECK ((is_unfinished OR (next_try_at IS NULL)))',
  'constraint gateway_deliveries_failed_has_its_problem on gateway_deliveries':
    "CHECK (((outcome <> 'failed'::text) OR (problem IS NOT NULL)))",
  'constraint gateway_deliveries_outcome_known on gateway_deliveries':
    "CHECK ((outcome = ANY (ARRAY['ok'::text, 'ignored'::text, 'no_link_id'::text, 'accepted'::text, 'failed'::text])))",
  'constraint gateway_deliveries_pkey on gateway_deliveries':
    'PRIMARY KEY (account_id, delivery_id)',
  'constraint gateway_deliveries_replayed_has_its_time on gateway_deliveries':
    'CHECK (((replays > 0) = (replayed_at IS NOT NULL)))',
  'constraint gateways_account_id_fkey on gateways':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint gateways_name on gateways': 'UNIQUE (account_id, name)',
  'constraint gateways_name_form on gateways': "CHECK ((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))",
  'constraint gateways_pkey on gateways': 'PRIMARY KEY (account_id, gateway_id)',
  'constraint gateways_status_known on gateways':
    "CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))",
  'constraint gateways_version_from_one on gateways': 'CHECK ((version > 0))',
  'constraint idempotency_keys_key_length on idempotency_keys':
    'CHECK (((length(key) >= 1) AND (length(key) <= 255)))',
  'constraint idempotency_keys_only_successes on idempotency_keys':
    'CHECK (((status >= 200) AND (status <= 299)))',
  'constraint idempotency_keys_pkey on idempotency_keys':
    'PRIMARY KEY (account_id, client_id, route, key)',
  'constraint idempotency_keys_request_is_a_digest on idempotency_keys':
    'CHECK ((length(request_sha256) = 32))',
  'constraint integrity_runs_differences_not_negative on integrity_runs':
    'CHECK ((differences >= 0))',
  'constraint integrity_runs_pkey on integrity_runs': 'PRIMARY KEY (account_id, started_at)',
  'constraint items_account_id_fkey on items':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint items_account_id_tax_rate_id_fkey on items':
    'FOREIGN KEY (account_id, tax_rate_id) REFERENCES public.tax_rates(account_id, tax_rate_id)',
  'constraint items_external_id_not_empty on items': "CHECK ((external_id <> ''::text))",
  'constraint items_name_not_empty on items': "CHECK ((name <> ''::text))",
  'constraint items_one_tax on items':
    'CHECK (((tax_rate_id IS NULL) OR ((tax_rate IS NULL) AND (tax_category IS NULL))))',
  'constraint items_pkey on items': 'PRIMARY KEY (account_id, item_id)',
  'constraint items_sku_not_empty on items': "CHECK ((sku <> ''::text))",
  'constraint items_tax_rate_is_a_percentage on items':
    'CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))',
  'constraint items_version_from_one on items': 'CHECK ((version > 0))',
  'constraint ledger_account_of_the_chart of domain ledger_account':
    'sha256 6340e7f1c13dbe7cba8353e33e6678bb446d8a65fd876e765f0f60e8e32d5b7b',
  'constraint ledger_fact_known of domain ledger_fact':
    'sha256 9f104db699d5dc9d2cc96463befebde169dff81b4a0583c767da927027e4261f',
  'constraint mail_letters_account_id_fkey on mail_letters':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint mail_letters_account_id_message_id_fkey on mail_letters':
    'FOREIGN KEY (account_id, message_id) REFERENCES public.mail_messages(account_id, message_id)',
  'constraint mail_letters_mailbox_not_empty on mail_letters': "CHECK ((mailbox <> ''::text))",
  'constraint mail_letters_pkey on mail_letters':
    'PRIMARY KEY (account_id, message_id, counted_at, "position")',
  'constraint mail_letters_position_from_one on mail_letters': 'CHECK (("position" > 0))',
  'constraint mail_messages_about_a_document_or_a_change on mail_messages':
    "CHECK ((((document_id IS NULL) = (kind = 'details_changed'::text)) AND ((change IS NOT NULL) = (kind = 'details_changed'::text))))",
  'constraint mail_messages_account_id_document_id_fkey on mail_messages':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint mail_messages_account_id_fkey on mail_messages':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint mail_messages_attempts_not_negative on mail_messages': 'CHECK ((attempts >= 0))',
  'constraint mail_messages_kind_known on mail_messages':
    "CHECK ((kind = ANY (ARRAY['document'::text, 'receipt'::text, 'reminder'::text, 'answer'::text, 'details_changed'::text])))",
  'constraint mail_messages_one_for_each_fact on mail_messages':
    'UNIQUE NULLS NOT DISTINCT (account_id, document_id, fact)',
  'constraint mail_messages_pkey on mail_messages': 'PRIMARY KEY (account_id, message_id)',
  'constraint mail_messages_queued_has_next on mail_messages':
    "CHECK (((status = 'queued'::text) = (next_attempt_at IS NOT NULL)))",
  'constraint mail_messages_settled_when_not_queued on mail_messages':
    "CHECK (((status = 'queued'::text) = (settled_at IS NULL)))",
  'constraint mail_messages_status_known on mail_messages':
    "CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'canceled'::text])))",
  'constraint mail_progress_one_row on mail_progress': 'CHECK (only_row)',
  'constraint mail_progress_pkey on mail_progress': 'PRIMARY KEY (only_row)',
  'constraint mail_refusals_account_id_fkey on mail_refusals':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint mail_refusals_pkey on mail_refusals': 'PRIMARY KEY (account_id, address)',
  'constraint mail_settings_account_id_fkey on mail_settings':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint mail_settings_pkey on mail_settings': 'PRIMARY KEY (account_id)',
  'constraint mail_settings_reminders_have_days on mail_settings':
    'CHECK (((reminders_since IS NULL) = (cardinality(reminder_days) = 0)))',
  'constraint mail_settings_version_from_one on mail_settings': 'CHECK ((version > 0))',
  'constraint mandates_account_ending_is_short on mandates':
    'CHECK ((length(account_ending) <= 8))',
  'constraint mandates_account_id_customer_id_fkey on mandates':
    'FOREIGN KEY (account_id, customer_id) REFERENCES public.customers(account_id, customer_id)',
  'constraint mandates_active_has_its_name on mandates':
    "CHECK (((provider_mandate_id IS NOT NULL) OR (status <> ALL (ARRAY['active'::text, 'suspended'::text]))))",
  'constraint mandates_currency_is_a_code on mandates': "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint mandates_ended_has_its_time on mandates':
    "CHECK (((status = ANY (ARRAY['failed'::text, 'canceled'::text, 'expired'::text])) = (ended_at IS NOT NULL)))",
  'constraint mandates_pkey on mandates': 'PRIMARY KEY (account_id, mandate_id)',
  'constraint mandates_provider_mandate on mandates':
    'UNIQUE (account_id, gateway, provider_mandate_id)',
  'constraint mandates_reference_is_short on mandates': 'CHECK ((length(reference) <= 64))',
  'constraint mandates_status_known on mandates':
    "CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'suspended'::text, 'failed'::text, 'canceled'::text, 'expired'::text])))",
  'constraint mandates_version_from_one on mandates': 'CHECK ((version > 0))',
  'constraint number_counters_account_id_series_fkey on number_counters':
    'FOREIGN KEY (account_id, series) REFERENCES public.number_series(account_id, series)',
  'constraint number_counters_first_from_one on number_counters': 'CHECK ((first_sequence > 0))',
  'constraint number_counters_last_not_before_first on number_counters':
    'CHECK ((last_sequence >= (first_sequence - 1)))',
  'constraint number_counters_period_is_year_or_month on number_counters':
    "CHECK ((period ~ '^([0-9]{4}(-[0-9]{2})?)?$'::text))",
  'constraint number_counters_pkey on number_counters': 'PRIMARY KEY (account_id, series, period)',
  'constraint number_series_account_id_fkey on number_series':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint number_series_kind_known on number_series':
    "CHECK ((kind = ANY (ARRAY['invoice'::text, 'quote'::text, 'credit_note'::text])))",
  'constraint number_series_name_is_a_slug on number_series':
    "CHECK ((series ~ '^[a-z0-9][a-z0-9_-]{0,39}$'::text))",
  'constraint number_series_pattern_counts on number_series':
    "CHECK (((length(pattern) <= 40) AND (pattern ~~ '%{SEQ%}%'::text)))",
  'constraint number_series_pkey on number_series': 'PRIMARY KEY (account_id, series)',
  'constraint number_series_reset_known on number_series':
    "CHECK ((reset = ANY (ARRAY['never'::text, 'year'::text, 'month'::text])))",
  'constraint number_series_start_from_one on number_series': 'CHECK ((start_at > 0))',
  'constraint payment_links_account_id_document_id_currency_fkey on payment_links':
    'FOREIGN KEY (account_id, document_id, currency) REFERENCES public.documents(account_id, document_id, currency)',
  'constraint payment_links_amount_positive on payment_links': 'CHECK ((amount > 0))',
  'constraint payment_links_canceled_has_its_time on payment_links':
    "CHECK (((status = 'canceled'::text) = (canceled_at IS NOT NULL)))",
  'constraint payment_links_document on payment_links':
    'UNIQUE (account_id, payment_link_id, document_id)',
  'constraint payment_links_failed_has_its_reason on payment_links':
    'CHECK (((failed_at IS NULL) = (failure IS NULL)))',
  'constraint payment_links_failed_has_its_time on payment_links':
    "CHECK (((failed_at IS NOT NULL) OR (status <> 'failed'::text)))",
  'constraint payment_links_only_a_page_ends on payment_links':
    'CHECK (((page_expires_at IS NULL) OR (url IS NOT NULL)))',
  'constraint payment_links_paid_has_its_time on payment_links':
    "CHECK (((paid_at IS NOT NULL) OR (status <> 'paid'::text)))",
  'constraint payment_links_pkey on payment_links': 'PRIMARY KEY (account_id, payment_link_id)',
  'constraint payment_links_processing_has_its_time on payment_links':
    "CHECK (((processing_at IS NOT NULL) OR (status <> 'processing'::text)))",
  'constraint payment_links_status_known on payment_links':
    "CHECK ((status = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'canceled'::text, 'unmatched'::text])))",
  'constraint payment_links_unmatched_has_its_time on payment_links':
    "CHECK (((paid_at IS NOT NULL) OR (status <> 'unmatched'::text)))",
  'constraint payment_links_xact_when_opened on payment_links':
    'CHECK (((opened_xact IS NULL) = (url IS NULL)))',
  'constraint payment_list_reads_pkey on payment_list_reads': 'PRIMARY KEY (gateway)',
  'constraint payment_reversals_account_id_payment_id_fkey on payment_reversals':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint payment_reversals_pkey on payment_reversals': 'PRIMARY KEY (account_id, payment_id)',
  'constraint payment_settings_account_id_fkey on payment_settings':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint payment_settings_pkey on payment_settings': 'PRIMARY KEY (account_id)',
  'constraint payment_settings_refund_meaning_known on payment_settings':
    "CHECK ((refund_meaning = ANY (ARRAY['lowers_document'::text, 'owed_again'::text])))",
  'constraint payment_settings_tolerance_is_an_object on payment_settings':
    "CHECK ((jsonb_typeof(underpayment_tolerance) = 'object'::text))",
  'constraint payment_settings_version_from_one on payment_settings': 'CHECK ((version > 0))',
  'constraint payments_account_id_document_id_currency_fkey on payments':
    'FOREIGN KEY (account_id, document_id, currency) REFERENCES public.documents(account_id, document_id, currency)',
  'constraint payments_account_id_payment_link_id_document_id_fkey on payments':
    'FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES public.payment_links(account_id, payment_link_id, document_id)',
  'constraint payments_account_id_receipt_id_fkey on payments':
    'FOREIGN KEY (account_id, receipt_id) REFERENCES public.unmatched_receipts(account_id, receipt_id)',
  'constraint payments_bank_entry_exists on payments':
    'FOREIGN KEY (account_id, bank_entry_id) REFERENCES public.bank_entries(account_id, entry_id)',
  'constraint payments_pkey on payments': 'PRIMARY KEY (account_id, payment_id)',
  'constraint payments_sound on payments':
    'CHECK (public.payment_is_sound(amount, applied, returned, fee, document_id, gateway, provider_payment_id, client_id, bank_entry_id))',
  'constraint payout_lines_account_id_payment_id_fkey on payout_lines':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint payout_lines_account_id_payout_id_fkey on payout_lines':
    'FOREIGN KEY (account_id, payout_id) REFERENCES public.payouts(account_id, payout_id)',
  'constraint payout_lines_account_id_receipt_id_fkey on payout_lines':
    'FOREIGN KEY (account_id, receipt_id) REFERENCES public.unmatched_receipts(account_id, receipt_id)',
  'constraint payout_lines_account_id_refund_id_fkey on payout_lines':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint payout_lines_completes_an_unknown_one on payout_lines':
    "CHECK (((completes IS NULL) OR ((completes < \"position\") AND (amount = 0) AND (fee = 0) AND (kind = ANY (ARRAY['payment'::text, 'refund'::text])) AND (num_nonnulls(payment_id, receipt_id, refund_id) = 1))))",
  'constraint payout_lines_kind_known on payout_lines':
    "CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text, 'fee'::text, 'adjustment'::text])))",
  'constraint payout_lines_of_one_thing on payout_lines':
    'CHECK ((num_nonnulls(payment_id, receipt_id, refund_id) <= 1))',
  'constraint payout_lines_pkey on payout_lines': 'PRIMARY KEY (account_id, payout_id, "position")',
  'constraint payout_lines_position_from_one on payout_lines': 'CHECK (("position" > 0))',
  'constraint payout_undoings_account_id_payout_id_fkey on payout_undoings':
    'FOREIGN KEY (account_id, payout_id) REFERENCES public.payouts(account_id, payout_id)',
  'constraint payout_undoings_kind_known on payout_undoings':
    "CHECK ((kind = ANY (ARRAY['failed'::text, 'reversed'::text])))",
  'constraint payout_undoings_pkey on payout_undoings': 'PRIMARY KEY (account_id, payout_id, kind)',
  'constraint payouts_account_id_fkey on payouts':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint payouts_amount_not_zero on payouts': 'CHECK ((amount <> 0))',
  'constraint payouts_arrives_after_sent on payouts': 'CHECK ((arrives_on >= sent_on))',
  'constraint payouts_currency_is_a_code on payouts': "CHECK ((currency ~ '^[A-Z]{3}$'::text))",
  'constraint payouts_fee_not_negative on payouts': 'CHECK ((fee >= 0))',
  'constraint payouts_lines_not_negative on payouts': 'CHECK ((lines >= 0))',
  'constraint payouts_pkey on payouts': 'PRIMARY KEY (account_id, payout_id)',
  'constraint payouts_status_known on payouts':
    "CHECK ((status = ANY (ARRAY['sent'::text, 'paid'::text, 'failed'::text, 'reversed'::text])))",
  'constraint pending_documents_account_id_document_id_fkey on pending_documents':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id) ON DELETE CASCADE',
  'constraint pending_documents_pkey on pending_documents': 'PRIMARY KEY (account_id, document_id)',
  'constraint period_closings_account_id_fkey on period_closings':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint period_closings_action_known on period_closings':
    "CHECK ((action = ANY (ARRAY['closed'::text, 'reopened'::text])))",
  'constraint period_closings_chart_of_closed on period_closings':
    "CHECK (((chart_version IS NULL) OR ((action = 'closed'::text) AND (chart_version > 0))))",
  'constraint period_closings_from_the_first_of_a_month on period_closings':
    "CHECK (((action = 'reopened'::text) OR (EXTRACT(day FROM open_from) = (1)::numeric)))",
  'constraint period_closings_pkey on period_closings': 'PRIMARY KEY (account_id, closing_id)',
  'constraint portal_tokens_account_id_document_id_fkey on portal_tokens':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint portal_tokens_pkey on portal_tokens': 'PRIMARY KEY (token_sha256)',
  'constraint portal_tokens_token_is_a_digest on portal_tokens':
    'CHECK ((length(token_sha256) = 32))',
  'constraint portal_tokens_views_in_order on portal_tokens':
    'CHECK ((((first_viewed_at IS NULL) = (last_viewed_at IS NULL)) AND (first_viewed_at <= last_viewed_at)))',
  'constraint provider_events_outcome_known on provider_events':
    "CHECK ((outcome = ANY (ARRAY['ok'::text, 'ignored'::text, 'no_link_id'::text])))",
  'constraint provider_events_pkey on provider_events': 'PRIMARY KEY (gateway, event_id)',
  'constraint provider_failures_amount_has_a_currency on provider_failures':
    'CHECK (((amount IS NULL) = (currency IS NULL)))',
  'constraint provider_failures_amount_positive on provider_failures': 'CHECK ((amount > 0))',
  'constraint provider_failures_dispute_is_whole on provider_failures':
    "CHECK (\nCASE kind\n    WHEN 'dispute'::text THEN (num_nulls(dispute_status, amount, reference) = 0)\n    ELSE (num_nonnulls(dispute_status, withdrawn, fee, evidence_due_by) = 0)\nEND)",
  'constraint provider_failures_dispute_status_known on provider_failures':
    "CHECK ((dispute_status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text])))",
  'constraint provider_failures_kind_known on provider_failures':
    "CHECK ((kind = ANY (ARRAY['failed'::text, 'unpaid_again'::text, 'dispute'::text, 'refund_pending'::text, 'refund_succeeded'::text, 'refund_failed'::text, 'refunded_in_all'::text])))",
  'constraint provider_failures_pkey on provider_failures': 'PRIMARY KEY (gateway, event_id)',
  'constraint provider_failures_refund_has_an_amount on provider_failures':
    "CHECK (((amount IS NOT NULL) OR (kind = ANY (ARRAY['failed'::text, 'unpaid_again'::text]))))",
  'constraint provider_payout_waits_kind_known on provider_payout_waits':
    "CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text])))",
  'constraint provider_payout_waits_pkey on provider_payout_waits':
    'PRIMARY KEY (gateway, provider_id, kind, provider_payout_id)',
  'constraint provider_payouts_lines_are_a_list on provider_payouts':
    "CHECK ((jsonb_typeof(lines) = 'array'::text))",
  'constraint provider_payouts_pkey on provider_payouts': 'PRIMARY KEY (gateway, event_id)',
  'constraint provider_payouts_status_known on provider_payouts':
    "CHECK ((status = ANY (ARRAY['sent'::text, 'failed'::text])))",
  'constraint provider_receipts_account_id_fkey on provider_receipts':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint provider_receipts_account_id_payment_id_fkey on provider_receipts':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint provider_receipts_amount_positive on provider_receipts': 'CHECK ((amount > 0))',
  'constraint provider_receipts_payment_or_reason on provider_receipts':
    'CHECK (((payment_id IS NULL) = (unmatched_reason IS NOT NULL)))',
  'constraint provider_receipts_pkey on provider_receipts':
    'PRIMARY KEY (gateway, provider_payment_id)',
  'constraint provider_receipts_reason_known on provider_receipts':
    "CHECK ((unmatched_reason = ANY (ARRAY['unknown_link'::text, 'currency_mismatch'::text, 'document_not_payable'::text, 'amount_too_large'::text, 'unconfirmed'::text, 'foreign_gateway'::text])))",
  'constraint provider_reversals_account_id_dispute_id_fkey on provider_reversals':
    'FOREIGN KEY (account_id, dispute_id) REFERENCES public.disputes(account_id, dispute_id)',
  'constraint provider_reversals_account_id_payment_id_fkey on provider_reversals':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint provider_reversals_account_id_receipt_id_fkey on provider_reversals':
    'FOREIGN KEY (account_id, receipt_id) REFERENCES public.unmatched_receipts(account_id, receipt_id)',
  'constraint provider_reversals_amount_sound on provider_reversals':
    'CHECK (((amount > 0) OR ((amount < 0) AND (dispute_id IS NOT NULL)) OR ((amount = 0) AND (lost <> 0))))',
  'constraint provider_reversals_of_payment_or_receipt on provider_reversals':
    'CHECK (((payment_id IS NULL) <> (receipt_id IS NULL)))',
  'constraint provider_reversals_once on provider_reversals':
    'UNIQUE (account_id, gateway, provider_payment_id, reference)',
  'constraint provider_reversals_parts_within_amount on provider_reversals':
    'sha256 257dc390c6b4dfe2e5098d036bd117559e8c0777a0b082f41993e70bbc9e3c58',
  'constraint provider_reversals_pkey on provider_reversals':
    'PRIMARY KEY (account_id, reversal_id)',
  'constraint refresh_tokens_family_id_fkey on refresh_tokens':
    'FOREIGN KEY (family_id) REFERENCES public.token_families(family_id) ON DELETE CASCADE',
  'constraint refresh_tokens_pkey on refresh_tokens': 'PRIMARY KEY (token_sha256)',
  'constraint refresh_tokens_token_is_a_digest on refresh_tokens':
    'CHECK ((length(token_sha256) = 32))',
  'constraint refund_credit_notes_account_id_credit_note_id_fkey on refund_credit_notes':
    'FOREIGN KEY (account_id, credit_note_id) REFERENCES public.documents(account_id, document_id)',
  'constraint refund_credit_notes_account_id_refund_id_document_id_fkey on refund_credit_notes':
    'FOREIGN KEY (account_id, refund_id, document_id) REFERENCES public.refund_parts(account_id, refund_id, document_id)',
  'constraint refund_credit_notes_pkey on refund_credit_notes':
    'PRIMARY KEY (account_id, credit_note_id)',
  'constraint refund_meanings_account_id_refund_id_fkey on refund_meanings':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint refund_meanings_default_is_owed_again on refund_meanings':
    "CHECK (((said_by <> 'default'::text) OR (meaning = 'owed_again'::text)))",
  'constraint refund_meanings_meaning_known on refund_meanings':
    "CHECK ((meaning = ANY (ARRAY['lowers_document'::text, 'owed_again'::text])))",
  'constraint refund_meanings_notes_only_lower on refund_meanings':
    "CHECK (((meaning = 'lowers_document'::text) OR ((credit_note IS NULL) AND (problem IS NULL))))",
  'constraint refund_meanings_pkey on refund_meanings': 'PRIMARY KEY (account_id, refund_id, step)',
  'constraint refund_meanings_said_by_known on refund_meanings':
    "CHECK ((said_by = ANY (ARRAY['call'::text, 'setting'::text, 'default'::text, 'later'::text])))",
  'constraint refund_meanings_step_from_one on refund_meanings': 'CHECK ((step > 0))',
  'constraint refund_names_account_id_refund_id_fkey on refund_names':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint refund_names_amount_positive on refund_names': 'CHECK ((amount > 0))',
  'constraint refund_names_pkey on refund_names':
    'PRIMARY KEY (account_id, gateway, provider_refund_id)',
  'constraint refund_parts_account_id_document_id_fkey on refund_parts':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint refund_parts_account_id_refund_id_fkey on refund_parts':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint refund_parts_amount_positive on refund_parts': 'CHECK ((amount > 0))',
  'constraint refund_parts_pkey on refund_parts':
    'PRIMARY KEY (account_id, refund_id, document_id)',
  'constraint refund_requests_account_id_fkey on refund_requests':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint refund_requests_pkey on refund_requests': 'PRIMARY KEY (account_id, scope)',
  'constraint refund_undoings_account_id_refund_id_fkey on refund_undoings':
    'FOREIGN KEY (account_id, refund_id) REFERENCES public.refunds(account_id, refund_id)',
  'constraint refund_undoings_kind_known on refund_undoings':
    "CHECK ((kind = ANY (ARRAY['returned'::text, 'reversed'::text])))",
  'constraint refund_undoings_pkey on refund_undoings': 'PRIMARY KEY (account_id, refund_id)',
  'constraint refund_undoings_reversed_by_a_client on refund_undoings':
    "CHECK (((kind = 'reversed'::text) = (client_id IS NOT NULL)))",
  'constraint refunds_account_id_payment_id_fkey on refunds':
    'FOREIGN KEY (account_id, payment_id) REFERENCES public.payments(account_id, payment_id)',
  'constraint refunds_account_id_receipt_id_fkey on refunds':
    'FOREIGN KEY (account_id, receipt_id) REFERENCES public.unmatched_receipts(account_id, receipt_id)',
  'constraint refunds_amount_positive on refunds': 'CHECK ((amount > 0))',
  'constraint refunds_asked_for_or_made_by_a_gateway on refunds':
    'CHECK (((client_id IS NOT NULL) OR (gateway IS NOT NULL)))',
  'constraint refunds_credit_kept_of_documents on refunds':
    'CHECK (((credit_kept >= 0) AND (credit_kept <= ((amount - from_credit) - lost))))',
  'constraint refunds_credit_within_amount on refunds':
    'CHECK (((from_credit >= 0) AND (lost >= 0) AND ((from_credit + lost) <= amount)))',
  'constraint refunds_customer_with_a_payment on refunds':
    'CHECK (((payment_id IS NULL) = (customer_id IS NULL)))',
  'constraint refunds_gateway_pays_its_own on refunds':
    "CHECK (((gateway IS NULL) OR (paid_from = 'gateway_clearing'::text)))",
  'constraint refunds_looked_up_until_settled on refunds':
    "CHECK (((next_look_at IS NOT NULL) = (status = ANY (ARRAY['pending'::text, 'unknown'::text]))))",
  'constraint refunds_lost_only_by_a_gateway on refunds':
    'CHECK (((lost = 0) OR (client_id IS NULL)))',
  'constraint refunds_no_failure_when_succeeded on refunds':
    "CHECK (((failure IS NULL) OR (status <> 'succeeded'::text)))",
  'constraint refunds_of_payment_or_receipt on refunds':
    'CHECK (((payment_id IS NULL) <> (receipt_id IS NULL)))',
  'constraint refunds_paid_from_known on refunds':
    "CHECK ((paid_from = ANY (ARRAY['cash'::text, 'gateway_clearing'::text])))",
  'constraint refunds_pkey on refunds': 'PRIMARY KEY (account_id, refund_id)',
  'constraint refunds_settled_has_its_time on refunds':
    "CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL)))",
  'constraint refunds_status_known on refunds':
    "CHECK ((status = ANY (ARRAY['pending'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])))",
  'constraint refunds_unsettled_only_by_gateway on refunds':
    "CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) OR (gateway IS NOT NULL)))",
  'constraint refunds_xact_when_settled on refunds':
    'CHECK (((settled_xact IS NULL) = (settled_at IS NULL)))',
  'constraint revocations_below_version_from_two on revocations': 'CHECK ((below_version > 1))',
  'constraint revocations_client_id_fkey on revocations':
    'FOREIGN KEY (client_id) REFERENCES public.api_clients(client_id)',
  'constraint revocations_of_family_or_versions on revocations':
    'CHECK ((num_nonnulls(family_id, below_version) = 1))',
  'constraint revocations_pkey on revocations': 'PRIMARY KEY (revocation_id)',
  'constraint seal_heads_digest_is_a_digest on seal_heads': 'CHECK ((length(digest) = 32))',
  'constraint seal_heads_pkey on seal_heads': 'PRIMARY KEY (account_id)',
  'constraint seal_heads_sequence_from_one on seal_heads': 'CHECK ((sequence > 0))',
  'constraint seals_contents_are_an_object on seals':
    "CHECK ((jsonb_typeof(contents) = 'object'::text))",
  'constraint seals_digest_is_a_digest on seals': 'CHECK ((length(digest) = 32))',
  'constraint seals_pkey on seals': 'PRIMARY KEY (account_id, sequence)',
  'constraint seals_rows_not_none on seals': 'CHECK ((rows > 0))',
  'constraint seals_seen_digest_is_a_digest on seals_seen': 'CHECK ((length(digest) = 32))',
  'constraint seals_seen_pkey on seals_seen': 'PRIMARY KEY (account_id, sequence)',
  'constraint seals_seen_sequence_from_one on seals_seen': 'CHECK ((sequence > 0))',
  'constraint seals_sequence_from_one on seals': 'CHECK ((sequence > 0))',
  'constraint seals_version_known on seals': 'CHECK ((version = 2))',
  'constraint seals_window_not_empty on seals': 'CHECK ((from_xact < through_xact))',
  'constraint seller_logos_account_id_fkey on seller_logos':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint seller_logos_at_most_four_megapixels on seller_logos':
    'CHECK ((((width)::bigint * height) <= 4000000))',
  'constraint seller_logos_at_most_one_mebibyte on seller_logos':
    'CHECK (((length(image) >= 1) AND (length(image) <= 1048576)))',
  'constraint seller_logos_content on seller_logos': 'CHECK ((sha256 = sha256(image)))',
  'constraint seller_logos_height_positive on seller_logos': 'CHECK ((height > 0))',
  'constraint seller_logos_pkey on seller_logos': 'PRIMARY KEY (account_id, sha256)',
  'constraint seller_logos_type_known on seller_logos':
    "CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])))",
  'constraint seller_logos_width_positive on seller_logos': 'CHECK ((width > 0))',
  'constraint tax_rates_account_id_fkey on tax_rates':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint tax_rates_country_is_a_code on tax_rates': "CHECK ((country ~ '^[A-Z]{2}$'::text))",
  'constraint tax_rates_name_not_empty on tax_rates': "CHECK ((name <> ''::text))",
  'constraint tax_rates_pkey on tax_rates': 'PRIMARY KEY (account_id, tax_rate_id)',
  'constraint tax_rates_rate_is_a_percentage on tax_rates':
    'CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))',
  'constraint tax_rates_version_from_one on tax_rates': 'CHECK ((version > 0))',
  'constraint tax_reliefs_account_id_document_id_currency_fkey on tax_reliefs':
    'FOREIGN KEY (account_id, document_id, currency) REFERENCES public.documents(account_id, document_id, currency)',
  'constraint tax_reliefs_change_something on tax_reliefs': 'CHECK (((base <> 0) OR (tax <> 0)))',
  'constraint tax_reliefs_loss_known on tax_reliefs':
    "CHECK ((loss = ANY (ARRAY['write_off'::text, 'waiver'::text])))",
  'constraint tax_reliefs_pkey on tax_reliefs':
    'PRIMARY KEY (account_id, relief_id, tax_category, tax_rate)',
  'constraint token_families_account_id_fkey on token_families':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint token_families_client_id_fkey on token_families':
    'FOREIGN KEY (client_id) REFERENCES public.api_clients(client_id)',
  'constraint token_families_end_after_their_start on token_families':
    'CHECK ((ends_at > started_at))',
  'constraint token_families_pkey on token_families': 'PRIMARY KEY (family_id)',
  'constraint transfers_pkey on transfers': 'PRIMARY KEY (account_id, transfer_id)',
  'constraint transfers_sound on transfers':
    'CHECK (public.transfer_is_sound((debit)::text, (credit)::text, amount, currency))',
  'constraint unmatched_item_steps_account_id_item_id_fkey on unmatched_item_steps':
    'FOREIGN KEY (account_id, item_id) REFERENCES public.unmatched_items(account_id, item_id)',
  'constraint unmatched_item_steps_from_one on unmatched_item_steps': 'CHECK ((step > 0))',
  'constraint unmatched_item_steps_pkey on unmatched_item_steps':
    'PRIMARY KEY (account_id, item_id, step)',
  'constraint unmatched_item_steps_status_known on unmatched_item_steps':
    "CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))",
  'constraint unmatched_items_amount_has_a_currency on unmatched_items':
    'CHECK (((amount IS NULL) = (currency IS NULL)))',
  'constraint unmatched_items_amount_positive on unmatched_items': 'CHECK ((amount > 0))',
  'constraint unmatched_items_direction_known on unmatched_items':
    "CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))",
  'constraint unmatched_items_pkey on unmatched_items': 'PRIMARY KEY (account_id, item_id)',
  'constraint unmatched_items_subject on unmatched_items': 'UNIQUE (account_id, gateway, subject)',
  'constraint unmatched_receipts_account_id_document_id_fkey on unmatched_receipts':
    'FOREIGN KEY (account_id, document_id) REFERENCES public.documents(account_id, document_id)',
  'constraint unmatched_receipts_account_id_payment_link_id_fkey on unmatched_receipts':
    'FOREIGN KEY (account_id, payment_link_id) REFERENCES public.payment_links(account_id, payment_link_id)',
  'constraint unmatched_receipts_amount_positive on unmatched_receipts': 'CHECK ((amount > 0))',
  'constraint unmatched_receipts_books_its_fee on unmatched_receipts':
    'CHECK (((booked_fee = 0) OR (NOT (booked_fee IS DISTINCT FROM fee))))',
  'constraint unmatched_receipts_fee_within_amount on unmatched_receipts':
    'CHECK (((fee >= 1) AND (fee <= amount)))',
  'constraint unmatched_receipts_pkey on unmatched_receipts':
    'PRIMARY KEY (account_id, receipt_id)',
  'constraint unmatched_receipts_provider on unmatched_receipts':
    'UNIQUE (account_id, gateway, provider_payment_id)',
  'constraint unmatched_receipts_reason_known on unmatched_receipts':
    "CHECK ((reason = ANY (ARRAY['unknown_link'::text, 'currency_mismatch'::text, 'document_not_payable'::text, 'amount_too_large'::text, 'unconfirmed'::text, 'foreign_gateway'::text, 'payment_reversed'::text])))",
  'constraint unmatched_receipts_settled_within_amount on unmatched_receipts':
    'CHECK (((settled >= 0) AND (settled <= amount)))',
  'constraint vat_methods_account_id_fkey on vat_methods':
    'FOREIGN KEY (account_id) REFERENCES public.accounts(account_id)',
  'constraint vat_methods_method_known on vat_methods':
    "CHECK ((method = ANY (ARRAY['accrual'::text, 'cash'::text])))",
  'constraint vat_methods_pkey on vat_methods': 'PRIMARY KEY (account_id, method_id)',
  'domain ledger_account': 'text',
  'domain ledger_fact': 'text',
  'function book_xact()':
    'CREATE OR REPLACE FUNCTION public.book_xact()\n RETURNS bigint\n LANGUAGE sql\n STABLE\nRETURN (((pg_current_xact_id())::text)::bigint + public.book_xact_offset())\n',
  'function book_xact_offset()':
    'CREATE OR REPLACE FUNCTION public.book_xact_offset()\n RETURNS bigint\n LANGUAGE sql\n STABLE\nRETURN a number\n',
  'function check_document_particulars()':
    'sha256 fdaf47696bbd8a46453f64d4c280c8c586a6d9219160ffcf05bc9033e930a70b',
  'function check_document_state()':
    'sha256 5e3a500001bc824eb91264632023406667b494d9916bcd078728e88d38ac132d',
  'function check_document_step()':
    'sha256 fdb8eeb769066bafc9b5a76b72738abe7a97f03183433ff1b61bd6c2e304e69d',
  'function check_document_undecided()':
    "CREATE OR REPLACE FUNCTION public.check_document_undecided()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\n  BEGIN\n    IF NEW.amount_undecided NOT BETWEEN 0 AND NEW.amount_refunded THEN\n      PERFORM refuse_row('documents', 'documents_undecided_within_refunded');\n    END IF;\n    RETURN NEW;\n  END $function$\n",
  'function creditor_reference(number text, id uuid)':
    'sha256 fad79d5bf2962d96ceac4fda3cbd8c2ed699f33db792777938c880751d26c1eb',
  'function document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint, discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint, total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint, amount_credited bigint, credit_notes_total bigint, amount_applied bigint, amount_disputed bigint, amount_processing bigint, tax_relief jsonb, settled_at timestamp with time zone)':
    'sha256 22433afa81a8ddf4e3bb7d6ea9180938f5c66d186c440c6404ce24a6b73624c1',
  'function folded(text)':
    "CREATE OR REPLACE FUNCTION public.folded(text)\n RETURNS text\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE STRICT\nRETURN lower(regexp_replace(NORMALIZE($1, NFKD), '[\\u0300-\\u036f]'::text, ''::text, 'g'::text))\n",
  'function follow_pending_document()':
    'sha256 23d427f81766e485cf299de9dc35379062101350b5e87777fda77d5bc0a78a4b',
  'function keep_issued_content()':
    'sha256 399fcf2ebdecea36a54d56832320f074b9e620c69c4eece71ac7aa88a9a20fdd',
  'function keep_issued_document()':
    'sha256 db320e5963815ae36ec09c2f4f92f767d7bfb04d558a5e381193832b653d1f7d',
  'function let_seal_head_go_on()':
    'sha256 03d9bdeabf0661baba1ca8e8d381b0da7d92a3333d7ecba2fdc00db8e2ce09db',
  'function mark_booked_on()':
    'CREATE OR REPLACE FUNCTION public.mark_booked_on()\n RETURNS trigger\n LANGUAGE plpgsql\n STABLE\nAS $function$\n      BEGIN\n        NEW.booked_on := (SELECT a.books_open_from FROM accounts a\n          WHERE a.account_id = NEW.account_id AND a.books_open_from >\n            ((to_jsonb(NEW)->>TG_ARGV[0])::timestamptz AT TIME ZONE a.time_zone)::date);\n        RETURN NEW;\n      END $function$\n',
  'function mark_issued_xact()':
    'CREATE OR REPLACE FUNCTION public.mark_issued_xact()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nBEGIN\n  NEW.issued_xact := CASE WHEN NEW.issued_at IS NOT NULL THEN book_xact() END;\n  RETURN NEW;\nEND $function$\n',
  'function mark_opened_xact()':
    'CREATE OR REPLACE FUNCTION public.mark_opened_xact()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nBEGIN\n  NEW.opened_xact := CASE WHEN NEW.url IS NOT NULL THEN book_xact() END;\n  RETURN NEW;\nEND $function$\n',
  'function mark_payment_booked_on()':
    'sha256 2f6c7276a86f628b8d38d72e07d2654392b72ca1b2148f16b6a6c6eddee191a1',
  'function mark_settled_xact()':
    'CREATE OR REPLACE FUNCTION public.mark_settled_xact()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nBEGIN\n  NEW.settled_xact := CASE WHEN NEW.settled_at IS NOT NULL THEN book_xact() END;\n  RETURN NEW;\nEND $function$\n',
  'function metadata_pairs(account_id uuid, metadata jsonb)':
    "CREATE OR REPLACE FUNCTION public.metadata_pairs(account_id uuid, metadata jsonb)\n RETURNS bigint[]\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE STRICT\nRETURN (SELECT array_agg(hashtextextended(((((metadata_pairs.account_id)::text || pairs.key) || '='::text) || pairs.value), (0)::bigint)) AS array_agg FROM jsonb_each_text(metadata_pairs.metadata) pairs(key, value))\n",
  'function number_order(number text)':
    "CREATE OR REPLACE FUNCTION public.number_order(number text)\n RETURNS text\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE\nRETURN COALESCE(regexp_replace(regexp_replace(number, '[0-9]+'::text, '00000000000000000\\&'::text, 'g'::text), '0+([0-9]{18,})'::text, '\\1'::text, 'g'::text), '􏿿'::text)\n",
  'function payment_is_sound(amount bigint, applied bigint, returned bigint, fee bigint, document_id uuid, gateway text, provider_payment_id text, client_id uuid, bank_entry_id uuid)':
    'sha256 593fd8ec3c7771a2d0a2dada1a44d9560620df7a43953228f6e35b4a8f81ebae',
  'function refuse_change()':
    "CREATE OR REPLACE FUNCTION public.refuse_change()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nBEGIN\n  RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME\n    USING ERRCODE = 'integrity_constraint_violation', HINT = TG_ARGV[0];\nEND $function$\n",
  'function refuse_change_of_issued()':
    'sha256 4709635ad376059035cc7e6a918ada0a9a3eaecd08eecf2653fb8b08ad5c800e',
  'function refuse_row(of text, rule text)':
    "CREATE OR REPLACE FUNCTION public.refuse_row(of text, rule text)\n RETURNS void\n LANGUAGE plpgsql\nAS $function$\nBEGIN\n  RAISE EXCEPTION 'a row of % violates %', of, rule\n    USING ERRCODE = 'check_violation', CONSTRAINT = rule, TABLE = of;\nEND $function$\n",
  'function search_lexemes(account_id uuid, words text)':
    'CREATE OR REPLACE FUNCTION public.search_lexemes(account_id uuid, words text)\n RETURNS text[]\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE STRICT\nRETURN ARRAY(SELECT ("right"((search_lexemes.account_id)::text, 8) || "left"(word.word, 50)) FROM public.search_words(search_lexemes.words) word(word) WHERE (word.word <> \'\'::text))\n',
  'function search_query(account_id uuid, words text)':
    'sha256 c30ba65e628691e010b9f487767c54ce2c2efb9c35d868ee797209ffe1c9c40f',
  'function search_words(text)':
    "CREATE OR REPLACE FUNCTION public.search_words(text)\n RETURNS SETOF text\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE STRICT\nRETURN regexp_split_to_table(public.folded($1), '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+'::text)\n",
  'function transfer_is_sound(debit text, credit text, amount bigint, currency text)':
    'sha256 db7a65d0eedbb8c41783e4dd120cdb240f51ca64087dba0c220e77efe8843aec',
  'table accounts': 'permanent',
  'table allocations': 'permanent',
  'table api_clients': 'permanent',
  'table audit_entries': 'permanent',
  'table bank_entries': 'permanent',
  'table bank_entry_mentions': 'permanent',
  'table bank_file_mappings': 'permanent',
  'table bank_statements': 'permanent',
  'table chart_settings': 'permanent',
  'table checkout_look_ups': 'permanent',
  'table collections': 'permanent',
  'table conversions': 'permanent',
  'table credited_lines': 'permanent',
  'table customer_balances': 'permanent',
  'table customer_credits': 'permanent',
  'table customers': 'permanent',
  'table debtors': 'permanent',
  'table dispute_parts': 'permanent',
  'table dispute_steps': 'permanent',
  'table disputes': 'permanent',
  'table document_contents': 'permanent',
  'table document_lines': 'permanent',
  'table document_pdfs': 'permanent',
  'table document_tax_groups': 'permanent',
  'table documents': 'permanent',
  'table events': 'permanent',
  'table exchange_rates': 'permanent',
  'table gateway_deliveries': 'permanent',
  'table gateways': 'permanent',
  'table idempotency_keys': 'permanent',
  'table integrity_runs': 'permanent',
  'table items': 'permanent',
  'table mail_letters': 'permanent',
  'table mail_messages': 'permanent',
  'table mail_progress': 'permanent',
  'table mail_refusals': 'permanent',
  'table mail_settings': 'permanent',
  'table mandates': 'permanent',
  'table migrations': 'permanent',
  'table number_counters': 'permanent',
  'table number_series': 'permanent',
  'table payment_links': 'permanent',
  'table payment_list_reads': 'permanent',
  'table payment_reversals': 'permanent',
  'table payment_settings': 'permanent',
  'table payments': 'permanent',
  'table payout_lines': 'permanent',
  'table payout_undoings': 'permanent',
  'table payouts': 'permanent',
  'table pending_documents': 'permanent',
  'table period_closings': 'permanent',
  'table portal_tokens': 'permanent',
  'table provider_events': 'permanent',
  'table provider_failures': 'permanent',
  'table provider_payout_waits': 'permanent',
  'table provider_payouts': 'permanent',
  'table provider_receipts': 'permanent',
  'table provider_reversals': 'permanent',
  'table refresh_tokens': 'permanent',
  'table refund_credit_notes': 'permanent',
  'table refund_meanings': 'permanent',
  'table refund_names': 'permanent',
  'table refund_parts': 'permanent',
  'table refund_requests': 'permanent',
  'table refund_undoings': 'permanent',
  'table refunds': 'permanent',
  'table revocations': 'permanent',
  'table seal_heads': 'permanent',
  'table seals': 'permanent',
  'table seals_seen': 'permanent',
  'table seller_logos': 'permanent',
  'table tax_rates': 'permanent',
  'table tax_reliefs': 'permanent',
  'table token_families': 'permanent',
  'table transfers': 'permanent',
  'table unmatched_item_steps': 'permanent',
  'table unmatched_items': 'permanent',
  'table unmatched_receipts': 'permanent',
  'table vat_methods': 'permanent',
  'trigger accounts_mode_stays on accounts':
    "CREATE TRIGGER accounts_mode_stays BEFORE UPDATE OF mode ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('an account stays live or test')",
  'trigger allocations_append_only on allocations':
    "CREATE TRIGGER allocations_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.allocations FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('allocations are append-only')",
  'trigger audit_entries_append_only on audit_entries':
    "CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('the audit log is append-only')",
  'trigger bank_entries_append_only on bank_entries':
    'sha256 c2c96449f576a9d29475c59c8fdb9e1c5d750fbfc60b48c84ef5cef1ddaea2f5',
  'trigger bank_entries_booked_once on bank_entries':
    "CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON public.bank_entries FOR EACH ROW WHEN (((old.status = 'returned'::text) OR ((old.status = 'booked'::text) AND (new.status <> 'unmatched'::text)))) EXECUTE FUNCTION public.refuse_change('a bank entry is booked once')",
  'trigger bank_entries_stay_withdrawn on bank_entries':
    "CREATE TRIGGER bank_entries_stay_withdrawn BEFORE UPDATE OF status ON public.bank_entries FOR EACH ROW WHEN ((old.status = 'withdrawn'::text)) EXECUTE FUNCTION public.refuse_change('a withdrawn bank entry stays withdrawn')",
  'trigger bank_entries_xact_stays on bank_entries':
    "CREATE TRIGGER bank_entries_xact_stays BEFORE UPDATE OF xact ON public.bank_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger bank_entry_mentions_append_only on bank_entry_mentions':
    "CREATE TRIGGER bank_entry_mentions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.bank_entry_mentions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('mentions of bank entries are append-only')",
  'trigger bank_statements_append_only on bank_statements':
    "CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OF account_id, statement_id, sha256, format, sections, entries, known_before, pending, client_id, imported_at, xact, rejected, hints, unused_columns, mapping_id OR TRUNCATE ON public.bank_statements FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('bank statements are append-only')",
  'trigger bank_statements_stay_withdrawn on bank_statements':
    "CREATE TRIGGER bank_statements_stay_withdrawn BEFORE UPDATE OF withdrawn_at ON public.bank_statements FOR EACH ROW WHEN ((old.withdrawn_at IS NOT NULL)) EXECUTE FUNCTION public.refuse_change('a withdrawn bank statement stays withdrawn')",
  'trigger chart_settings_append_only on chart_settings':
    "CREATE TRIGGER chart_settings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.chart_settings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('closed months keep their chart')",
  'trigger collections_stay on collections':
    "CREATE TRIGGER collections_stay BEFORE DELETE OR UPDATE OF account_id, payment_link_id, document_id, mandate_id, charge_on, automatic OR TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a collection stays what it is')",
  'trigger conversions_append_only on conversions':
    "CREATE TRIGGER conversions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.conversions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('conversions are append-only')",
  'trigger credited_lines_append_only on credited_lines':
    "CREATE TRIGGER credited_lines_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credited_lines FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('credited lines are append-only')",
  'trigger customer_credits_append_only on customer_credits':
    "CREATE TRIGGER customer_credits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.customer_credits FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('customer credits are append-only')",
  'trigger debtors_append_only on debtors':
    "CREATE TRIGGER debtors_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.debtors FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('debtors keep their numbers')",
  'trigger dispute_parts_append_only on dispute_parts':
    "CREATE TRIGGER dispute_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_parts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('parts of disputes are append-only')",
  'trigger dispute_steps_append_only on dispute_steps':
    "CREATE TRIGGER dispute_steps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_steps FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('steps of disputes are append-only')",
  'trigger disputes_append_only on disputes':
    "CREATE TRIGGER disputes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.disputes FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('disputes are append-only')",
  'trigger document_contents_frozen on document_contents':
    'CREATE TRIGGER document_contents_frozen BEFORE INSERT OR DELETE OR UPDATE OF account_id, document_id, seller, customer, notes, details, discounts, charges, lines, tax_groups ON public.document_contents FOR EACH ROW EXECUTE FUNCTION public.keep_issued_content()',
  'trigger document_contents_stay on document_contents':
    "CREATE TRIGGER document_contents_stay BEFORE TRUNCATE ON public.document_contents FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('issued documents are frozen')",
  'trigger document_lines_frozen on document_lines':
    'CREATE TRIGGER document_lines_frozen BEFORE INSERT OR DELETE OR UPDATE ON public.document_lines FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_issued()',
  'trigger document_lines_stay on document_lines':
    "CREATE TRIGGER document_lines_stay BEFORE TRUNCATE ON public.document_lines FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('issued documents are frozen')",
  'trigger document_pdfs_frozen on document_pdfs':
    "CREATE TRIGGER document_pdfs_frozen BEFORE DELETE OR UPDATE OR TRUNCATE ON public.document_pdfs FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('an issued PDF is never changed')",
  'trigger document_tax_groups_frozen on document_tax_groups':
    'CREATE TRIGGER document_tax_groups_frozen BEFORE INSERT OR DELETE OR UPDATE ON public.document_tax_groups FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_issued()',
  'trigger document_tax_groups_stay on document_tax_groups':
    "CREATE TRIGGER document_tax_groups_stay BEFORE TRUNCATE ON public.document_tax_groups FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('issued documents are frozen')",
  'trigger documents_accepted_by_stays on documents':
    "CREATE TRIGGER documents_accepted_by_stays BEFORE UPDATE OF accepted_by ON public.documents FOR EACH ROW WHEN (((old.accepted_at IS NOT NULL) AND (old.accepted_by IS DISTINCT FROM new.accepted_by))) EXECUTE FUNCTION public.refuse_change('documents only move forward')",
  'trigger documents_cash_discounts_frozen_when_issued on documents':
    "CREATE TRIGGER documents_cash_discounts_frozen_when_issued BEFORE UPDATE OF cash_discounts ON public.documents FOR EACH ROW WHEN (((old.lifecycle <> 'draft'::text) AND (old.cash_discounts IS DISTINCT FROM new.cash_discounts))) EXECUTE FUNCTION public.refuse_change('an issued document is frozen')",
  'trigger documents_frozen_when_issued on documents':
    'sha256 62fb4a147b93e2fafdf3b470740ddc82404ff6502b1dbb3bab34e2837bc4e799',
  'trigger documents_issued_in on documents':
    'CREATE TRIGGER documents_issued_in BEFORE INSERT OR UPDATE OF issued_at ON public.documents FOR EACH ROW WHEN (((new.issued_at IS NULL) <> (new.issued_xact IS NULL))) EXECUTE FUNCTION public.mark_issued_xact()',
  'trigger documents_issued_pending on documents':
    "CREATE TRIGGER documents_issued_pending AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.lifecycle = 'open'::text) AND (new.settled_at IS NULL))) EXECUTE FUNCTION public.follow_pending_document()",
  'trigger documents_issued_stay on documents':
    "CREATE TRIGGER documents_issued_stay BEFORE DELETE ON public.documents FOR EACH ROW WHEN ((old.lifecycle <> 'draft'::text)) EXECUTE FUNCTION public.refuse_change('an issued document is never deleted')",
  'trigger documents_issued_xact_stays on documents':
    "CREATE TRIGGER documents_issued_xact_stays BEFORE UPDATE OF issued_xact ON public.documents FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger documents_lifecycle on documents':
    'CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at, rejection_reason, rejected_version ON public.documents FOR EACH ROW EXECUTE FUNCTION public.check_document_step()',
  'trigger documents_particulars on documents':
    'CREATE TRIGGER documents_particulars BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method, amount_moved ON public.documents FOR EACH ROW EXECUTE FUNCTION public.check_document_particulars()',
  'trigger documents_pending on documents':
    "CREATE TRIGGER documents_pending AFTER UPDATE OF lifecycle, settled_at ON public.documents FOR EACH ROW WHEN ((((old.lifecycle = 'open'::text) AND (old.settled_at IS NULL)) <> ((new.lifecycle = 'open'::text) AND (new.settled_at IS NULL)))) EXECUTE FUNCTION public.follow_pending_document()",
  'trigger documents_reference_frozen_when_issued on documents':
    "CREATE TRIGGER documents_reference_frozen_when_issued BEFORE UPDATE OF payment_reference ON public.documents FOR EACH ROW WHEN (((old.lifecycle <> 'draft'::text) AND (old.payment_reference IS DISTINCT FROM new.payment_reference))) EXECUTE FUNCTION public.refuse_change('an issued document is frozen')",
  'trigger documents_state on documents':
    'sha256 2d7724d9176bb99aa52ed52937915cbff21644b6dbcf93da58c5a1c5df098069',
  'trigger documents_undecided on documents':
    'CREATE TRIGGER documents_undecided BEFORE UPDATE OF amount_undecided ON public.documents FOR EACH ROW EXECUTE FUNCTION public.check_document_undecided()',
  'trigger events_append_only on events':
    "CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('events are append-only')",
  'trigger exchange_rates_append_only on exchange_rates':
    "CREATE TRIGGER exchange_rates_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.exchange_rates FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('exchange rates are append-only')",
  'trigger gateways_stay on gateways':
    "CREATE TRIGGER gateways_stay BEFORE DELETE OR UPDATE OF account_id, gateway_id, provider, created_at OR TRUNCATE ON public.gateways FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a gateway stays what it is, and is disabled, never deleted')",
  'trigger mail_letters_append_only on mail_letters':
    "CREATE TRIGGER mail_letters_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.mail_letters FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('letters that were counted are append-only')",
  'trigger mail_messages_settled_once on mail_messages':
    "CREATE TRIGGER mail_messages_settled_once BEFORE UPDATE OF status ON public.mail_messages FOR EACH ROW WHEN ((old.status = 'sent'::text)) EXECUTE FUNCTION public.refuse_change('a message that was sent stays sent')",
  'trigger mandates_stay on mandates':
    "CREATE TRIGGER mandates_stay BEFORE DELETE OR UPDATE OF account_id, mandate_id, customer_id, gateway, currency, created_at OR TRUNCATE ON public.mandates FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a mandate stays whose it is, and ends, but is never deleted')",
  'trigger number_counters_only_count on number_counters':
    'sha256 22c10cd166fafda84a9c4f49755dcad6aeb7a07f7353afa58d85355489eb5d31',
  'trigger number_counters_stay on number_counters':
    "CREATE TRIGGER number_counters_stay BEFORE DELETE ON public.number_counters FOR EACH ROW WHEN ((old.last_sequence >= old.first_sequence)) EXECUTE FUNCTION public.refuse_change('a count goes on without a gap')",
  'trigger payment_links_opened_in on payment_links':
    'CREATE TRIGGER payment_links_opened_in BEFORE INSERT OR UPDATE OF url ON public.payment_links FOR EACH ROW WHEN (((new.url IS NULL) <> (new.opened_xact IS NULL))) EXECUTE FUNCTION public.mark_opened_xact()',
  'trigger payment_links_opened_once on payment_links':
    'sha256 4e36a7c5bfb2cde9dc13625cf453831a6028cdeb92af6043dcb5dee21c33953d',
  'trigger payment_links_opened_xact_stays on payment_links':
    "CREATE TRIGGER payment_links_opened_xact_stays BEFORE UPDATE OF opened_xact ON public.payment_links FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger payment_links_xact_stays on payment_links':
    "CREATE TRIGGER payment_links_xact_stays BEFORE UPDATE OF xact ON public.payment_links FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger payment_reversals_append_only on payment_reversals':
    "CREATE TRIGGER payment_reversals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payment_reversals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('reversals are append-only')",
  'trigger payments_append_only on payments':
    "CREATE TRIGGER payments_append_only BEFORE DELETE OR UPDATE OF account_id, payment_id, document_id, customer_id, currency, amount, applied, method, reference, note, metadata, paid_at, recorded_at, client_id, gateway, provider_payment_id, payment_link_id, fee, bank_entry_id OR TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('payments are append-only')",
  'trigger payments_booked_on on payments':
    'CREATE TRIGGER payments_booked_on BEFORE INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION public.mark_payment_booked_on()',
  'trigger payments_booked_on_stays on payments':
    "CREATE TRIGGER payments_booked_on_stays BEFORE UPDATE OF booked_on ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('payments are append-only')",
  'trigger payments_stay_reversed on payments':
    "CREATE TRIGGER payments_stay_reversed BEFORE UPDATE OF is_reversed ON public.payments FOR EACH ROW WHEN (old.is_reversed) EXECUTE FUNCTION public.refuse_change('a payment that is reversed stays so')",
  'trigger payments_xact_stays on payments':
    "CREATE TRIGGER payments_xact_stays BEFORE UPDATE OF xact ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger payout_lines_append_only on payout_lines':
    'CREATE TRIGGER payout_lines_append_only BEFORE DELETE OR UPDATE OF account_id, payout_id, "position", kind, amount, fee, booked_fee, provider_id, payment_id, receipt_id, refund_id, completes OR TRUNCATE ON public.payout_lines FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change(\'lines of payouts are append-only\')',
  'trigger payout_lines_stay_reversed on payout_lines':
    "CREATE TRIGGER payout_lines_stay_reversed BEFORE UPDATE OF is_reversed ON public.payout_lines FOR EACH ROW WHEN (old.is_reversed) EXECUTE FUNCTION public.refuse_change('a line that is reversed stays so')",
  'trigger payout_lines_xact_stays on payout_lines':
    "CREATE TRIGGER payout_lines_xact_stays BEFORE UPDATE OF xact ON public.payout_lines FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger payout_undoings_append_only on payout_undoings':
    "CREATE TRIGGER payout_undoings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_undoings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('payout undoings are append-only')",
  'trigger payouts_append_only on payouts':
    "CREATE TRIGGER payouts_append_only BEFORE DELETE OR UPDATE OF account_id, payout_id, gateway, provider_payout_id, amount, fee, booked_fee, currency, sent_on, arrives_on, descriptor, lines, client_id, recorded_at OR TRUNCATE ON public.payouts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('payouts are append-only')",
  'trigger payouts_undone_once on payouts':
    "CREATE TRIGGER payouts_undone_once BEFORE UPDATE ON public.payouts FOR EACH ROW WHEN (((old.status = 'reversed'::text) OR ((old.status = 'failed'::text) AND (new.status <> 'reversed'::text)) OR ((old.status = 'paid'::text) AND (new.status <> 'sent'::text)))) EXECUTE FUNCTION public.refuse_change('a payout is undone once, and not while a bank entry is it')",
  'trigger payouts_xact_stays on payouts':
    "CREATE TRIGGER payouts_xact_stays BEFORE UPDATE OF xact ON public.payouts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger pending_documents_follow on pending_documents':
    "CREATE TRIGGER pending_documents_follow BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.pending_documents FOR EACH STATEMENT WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION public.refuse_change('pending documents follow documents')",
  'trigger period_closings_append_only on period_closings':
    "CREATE TRIGGER period_closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.period_closings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('closings are append-only')",
  'trigger provider_events_append_only on provider_events':
    "CREATE TRIGGER provider_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('provider events are append-only')",
  'trigger provider_failures_append_only on provider_failures':
    "CREATE TRIGGER provider_failures_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_failures FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('provider failures are append-only')",
  'trigger provider_payout_waits_append_only on provider_payout_waits':
    "CREATE TRIGGER provider_payout_waits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_payout_waits FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('waits of payouts are append-only')",
  'trigger provider_payouts_append_only on provider_payouts':
    "CREATE TRIGGER provider_payouts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_payouts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('told payouts are append-only')",
  'trigger provider_receipts_append_only on provider_receipts':
    "CREATE TRIGGER provider_receipts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_receipts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('provider receipts are append-only')",
  'trigger provider_reversals_append_only on provider_reversals':
    "CREATE TRIGGER provider_reversals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_reversals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('provider reversals are append-only')",
  'trigger refund_credit_notes_append_only on refund_credit_notes':
    "CREATE TRIGGER refund_credit_notes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_credit_notes FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('credit notes of refunds are append-only')",
  'trigger refund_meanings_append_only on refund_meanings':
    "CREATE TRIGGER refund_meanings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_meanings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('meanings of refunds are append-only')",
  'trigger refund_names_append_only on refund_names':
    "CREATE TRIGGER refund_names_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_names FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('names of refunds are append-only')",
  'trigger refund_parts_append_only on refund_parts':
    "CREATE TRIGGER refund_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_parts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('refund parts are append-only')",
  'trigger refund_undoings_append_only on refund_undoings':
    "CREATE TRIGGER refund_undoings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_undoings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('refund undoings are append-only')",
  'trigger refund_undoings_booked_on on refund_undoings':
    "CREATE TRIGGER refund_undoings_booked_on BEFORE INSERT ON public.refund_undoings FOR EACH ROW EXECUTE FUNCTION public.mark_booked_on('undone_at')",
  'trigger refunds_booked_on on refunds':
    "CREATE TRIGGER refunds_booked_on BEFORE INSERT OR UPDATE OF status ON public.refunds FOR EACH ROW WHEN ((new.status = 'succeeded'::text)) EXECUTE FUNCTION public.mark_booked_on('settled_at')",
  'trigger refunds_credit_kept_stays on refunds':
    "CREATE TRIGGER refunds_credit_kept_stays BEFORE UPDATE OF credit_kept ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a refund is settled once')",
  'trigger refunds_lost_stays on refunds':
    "CREATE TRIGGER refunds_lost_stays BEFORE UPDATE OF lost ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a refund is settled once')",
  'trigger refunds_paid_from_stays on refunds':
    "CREATE TRIGGER refunds_paid_from_stays BEFORE UPDATE OF paid_from ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a refund is settled once')",
  'trigger refunds_settle_once on refunds':
    'sha256 2cf7dc493ff78a69dffaad6412e8bb37556ab0d9e11d875f58085d3b7cad960f',
  'trigger refunds_settled_in on refunds':
    'CREATE TRIGGER refunds_settled_in BEFORE INSERT OR UPDATE OF settled_at ON public.refunds FOR EACH ROW WHEN (((new.settled_at IS NULL) <> (new.settled_xact IS NULL))) EXECUTE FUNCTION public.mark_settled_xact()',
  'trigger refunds_settled_xact_stays on refunds':
    "CREATE TRIGGER refunds_settled_xact_stays BEFORE UPDATE OF settled_xact ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger refunds_stay on refunds':
    "CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('refunds are never deleted')",
  'trigger refunds_xact_stays on refunds':
    "CREATE TRIGGER refunds_xact_stays BEFORE UPDATE OF xact ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger seal_heads_go_on on seal_heads':
    'CREATE TRIGGER seal_heads_go_on BEFORE UPDATE ON public.seal_heads FOR EACH ROW EXECUTE FUNCTION public.let_seal_head_go_on()',
  'trigger seal_heads_stay on seal_heads':
    "CREATE TRIGGER seal_heads_stay BEFORE DELETE OR TRUNCATE ON public.seal_heads FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a chain of seals only grows')",
  'trigger seals_append_only on seals':
    "CREATE TRIGGER seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('seals are append-only')",
  'trigger seals_seen_append_only on seals_seen':
    "CREATE TRIGGER seals_seen_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seals_seen FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('what was seen stays')",
  'trigger seller_logos_stay on seller_logos':
    "CREATE TRIGGER seller_logos_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seller_logos FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('documents keep the logo they had')",
  'trigger tax_rates_fixed on tax_rates':
    "CREATE TRIGGER tax_rates_fixed BEFORE UPDATE OF tax_rate, tax_category, exemption_reason, exemption_code, country ON public.tax_rates FOR EACH ROW EXECUTE FUNCTION public.refuse_change('a tax rate keeps its tax')",
  'trigger tax_reliefs_append_only on tax_reliefs':
    "CREATE TRIGGER tax_reliefs_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.tax_reliefs FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('tax reliefs are append-only')",
  'trigger transfers_append_only on transfers':
    "CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('the ledger is append-only')",
  'trigger unmatched_item_steps_append_only on unmatched_item_steps':
    "CREATE TRIGGER unmatched_item_steps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.unmatched_item_steps FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('steps of items are append-only')",
  'trigger unmatched_items_append_only on unmatched_items':
    "CREATE TRIGGER unmatched_items_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.unmatched_items FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('unmatched items are append-only')",
  'trigger unmatched_receipts_append_only on unmatched_receipts':
    "CREATE TRIGGER unmatched_receipts_append_only BEFORE DELETE OR UPDATE OF account_id, receipt_id, gateway, provider_payment_id, amount, currency, reason, document_id, payment_link_id, link_reference, paid_at, received_at OR TRUNCATE ON public.unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('receipts are append-only')",
  'trigger unmatched_receipts_fee_stays on unmatched_receipts':
    "CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee, booked_fee ON public.unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('receipts are append-only')",
  'trigger unmatched_receipts_xact_stays on unmatched_receipts':
    "CREATE TRIGGER unmatched_receipts_xact_stays BEFORE UPDATE OF xact ON public.unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a row stays in its transaction')",
  'trigger vat_methods_append_only on vat_methods':
    "CREATE TRIGGER vat_methods_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.vat_methods FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('vat methods are append-only')",
  'unique index PK_8c82d7f526340ab734260ea46be on migrations':
    'CREATE UNIQUE INDEX "PK_8c82d7f526340ab734260ea46be" ON public.migrations USING btree (id)',
  'unique index accounts_pkey on accounts':
    'CREATE UNIQUE INDEX accounts_pkey ON public.accounts USING btree (account_id)',
  'unique index allocations_pkey on allocations':
    'CREATE UNIQUE INDEX allocations_pkey ON public.allocations USING btree (account_id, allocation_id)',
  'unique index api_clients_pkey on api_clients':
    'CREATE UNIQUE INDEX api_clients_pkey ON public.api_clients USING btree (client_id)',
  'unique index audit_entries_pkey on audit_entries':
    'CREATE UNIQUE INDEX audit_entries_pkey ON public.audit_entries USING btree (account_id, entry_id)',
  'unique index bank_entries_of_payment on bank_entries':
    "CREATE UNIQUE INDEX bank_entries_of_payment ON public.bank_entries USING btree (account_id, payment_id) WHERE ((status = 'booked'::text) OR (status = 'recorded'::text))",
  'unique index bank_entries_of_payout on bank_entries':
    'CREATE UNIQUE INDEX bank_entries_of_payout ON public.bank_entries USING btree (account_id, payout_id) WHERE (payout_id IS NOT NULL)',
  'unique index bank_entries_once on bank_entries':
    "CREATE UNIQUE INDEX bank_entries_once ON public.bank_entries USING btree (account_id, entry_key) WHERE (status <> 'withdrawn'::text)",
  'unique index bank_entries_pkey on bank_entries':
    'CREATE UNIQUE INDEX bank_entries_pkey ON public.bank_entries USING btree (account_id, entry_id)',
  'unique index bank_entries_returned on bank_entries':
    "CREATE UNIQUE INDEX bank_entries_returned ON public.bank_entries USING btree (account_id, payment_id) WHERE (status = 'returned'::text)",
  'unique index bank_entry_mentions_pkey on bank_entry_mentions':
    'CREATE UNIQUE INDEX bank_entry_mentions_pkey ON public.bank_entry_mentions USING btree (account_id, entry_id, statement_id)',
  'unique index bank_file_mappings_account on bank_file_mappings':
    'CREATE UNIQUE INDEX bank_file_mappings_account ON public.bank_file_mappings USING btree (account_id, bank_account)',
  'unique index bank_file_mappings_pkey on bank_file_mappings':
    'CREATE UNIQUE INDEX bank_file_mappings_pkey ON public.bank_file_mappings USING btree (account_id, mapping_id)',
  'unique index bank_statements_file on bank_statements':
    'CREATE UNIQUE INDEX bank_statements_file ON public.bank_statements USING btree (account_id, sha256) WHERE (withdrawn_at IS NULL)',
  'unique index bank_statements_pkey on bank_statements':
    'CREATE UNIQUE INDEX bank_statements_pkey ON public.bank_statements USING btree (account_id, statement_id)',
  'unique index chart_settings_pkey on chart_settings':
    'CREATE UNIQUE INDEX chart_settings_pkey ON public.chart_settings USING btree (account_id, version)',
  'unique index checkout_look_ups_pkey on checkout_look_ups':
    'CREATE UNIQUE INDEX checkout_look_ups_pkey ON public.checkout_look_ups USING btree (account_id, payment_link_id)',
  'unique index collections_automatic_once on collections':
    'CREATE UNIQUE INDEX collections_automatic_once ON public.collections USING btree (account_id, document_id) WHERE (automatic AND (withdrawn_at IS NULL))',
  'unique index collections_pkey on collections':
    'CREATE UNIQUE INDEX collections_pkey ON public.collections USING btree (account_id, payment_link_id)',
  'unique index conversions_pkey on conversions':
    'CREATE UNIQUE INDEX conversions_pkey ON public.conversions USING btree (account_id, conversion_id)',
  'unique index credited_lines_pkey on credited_lines':
    'CREATE UNIQUE INDEX credited_lines_pkey ON public.credited_lines USING btree (account_id, credit_note_id, "position")',
  'unique index customer_balances_pkey on customer_balances':
    'CREATE UNIQUE INDEX customer_balances_pkey ON public.customer_balances USING btree (account_id, customer_id, currency)',
  'unique index customer_credits_pkey on customer_credits':
    'CREATE UNIQUE INDEX customer_credits_pkey ON public.customer_credits USING btree (account_id, credit_id)',
  'unique index customers_external_id on customers':
    'CREATE UNIQUE INDEX customers_external_id ON public.customers USING btree (account_id, external_id) WHERE (external_id IS NOT NULL)',
  'unique index customers_pkey on customers':
    'CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (account_id, customer_id)',
  'unique index debtors_account_id_place_key on debtors':
    'CREATE UNIQUE INDEX debtors_account_id_place_key ON public.debtors USING btree (account_id, place)',
  'unique index debtors_pkey on debtors':
    'CREATE UNIQUE INDEX debtors_pkey ON public.debtors USING btree (account_id, customer_id)',
  'unique index dispute_parts_pkey on dispute_parts':
    'CREATE UNIQUE INDEX dispute_parts_pkey ON public.dispute_parts USING btree (account_id, dispute_id, step, document_id)',
  'unique index dispute_steps_pkey on dispute_steps':
    'CREATE UNIQUE INDEX dispute_steps_pkey ON public.dispute_steps USING btree (account_id, dispute_id, step)',
  'unique index disputes_of_provider on disputes':
    'CREATE UNIQUE INDEX disputes_of_provider ON public.disputes USING btree (account_id, gateway, provider_dispute_id)',
  'unique index disputes_pkey on disputes':
    'CREATE UNIQUE INDEX disputes_pkey ON public.disputes USING btree (account_id, dispute_id)',
  'unique index document_contents_pkey on document_contents':
    'CREATE UNIQUE INDEX document_contents_pkey ON public.document_contents USING btree (account_id, document_id)',
  'unique index document_lines_line_id_key on document_lines':
    'CREATE UNIQUE INDEX document_lines_line_id_key ON public.document_lines USING btree (account_id, line_id)',
  'unique index document_lines_pkey on document_lines':
    'CREATE UNIQUE INDEX document_lines_pkey ON public.document_lines USING btree (account_id, document_id, "position")',
  'unique index document_pdfs_pkey on document_pdfs':
    'CREATE UNIQUE INDEX document_pdfs_pkey ON public.document_pdfs USING btree (account_id, document_id, language)',
  'unique index document_tax_groups_pkey on document_tax_groups':
    'CREATE UNIQUE INDEX document_tax_groups_pkey ON public.document_tax_groups USING btree (account_id, document_id, tax_category, tax_rate)',
  'unique index documents_currency on documents':
    'CREATE UNIQUE INDEX documents_currency ON public.documents USING btree (account_id, document_id, currency)',
  'unique index documents_external_id on documents':
    'CREATE UNIQUE INDEX documents_external_id ON public.documents USING btree (account_id, external_id)',
  'unique index documents_number on documents':
    'CREATE UNIQUE INDEX documents_number ON public.documents USING btree (account_id, kind, number)',
  'unique index documents_number_sequence on documents':
    'CREATE UNIQUE INDEX documents_number_sequence ON public.documents USING btree (account_id, number_series, number_period, number_sequence)',
  'unique index documents_pkey on documents':
    'CREATE UNIQUE INDEX documents_pkey ON public.documents USING btree (account_id, document_id)',
  'unique index events_document_sequence on events':
    'CREATE UNIQUE INDEX events_document_sequence ON public.events USING btree (account_id, document_id, sequence)',
  'unique index events_pkey on events':
    'CREATE UNIQUE INDEX events_pkey ON public.events USING btree (account_id, event_id)',
  'unique index exchange_rates_pkey on exchange_rates':
    'CREATE UNIQUE INDEX exchange_rates_pkey ON public.exchange_rates USING btree (account_id, rate_id)',
  'unique index exchange_rates_revision on exchange_rates':
    'CREATE UNIQUE INDEX exchange_rates_revision ON public.exchange_rates USING btree (account_id, base, quote, day, revision)',
  'unique index gateway_deliveries_pkey on gateway_deliveries':
    'CREATE UNIQUE INDEX gateway_deliveries_pkey ON public.gateway_deliveries USING btree (account_id, delivery_id)',
  'unique index gateways_name on gateways':
    'CREATE UNIQUE INDEX gateways_name ON public.gateways USING btree (account_id, name)',
  'unique index gateways_pkey on gateways':
    'CREATE UNIQUE INDEX gateways_pkey ON public.gateways USING btree (account_id, gateway_id)',
  'unique index idempotency_keys_pkey on idempotency_keys':
    'CREATE UNIQUE INDEX idempotency_keys_pkey ON public.idempotency_keys USING btree (account_id, client_id, route, key)',
  'unique index integrity_runs_pkey on integrity_runs':
    'CREATE UNIQUE INDEX integrity_runs_pkey ON public.integrity_runs USING btree (account_id, started_at)',
  'unique index items_external_id on items':
    'CREATE UNIQUE INDEX items_external_id ON public.items USING btree (account_id, external_id) WHERE (external_id IS NOT NULL)',
  'unique index items_pkey on items':
    'CREATE UNIQUE INDEX items_pkey ON public.items USING btree (account_id, item_id)',
  'unique index mail_letters_pkey on mail_letters':
    'CREATE UNIQUE INDEX mail_letters_pkey ON public.mail_letters USING btree (account_id, message_id, counted_at, "position")',
  'unique index mail_messages_one_for_each_fact on mail_messages':
    'CREATE UNIQUE INDEX mail_messages_one_for_each_fact ON public.mail_messages USING btree (account_id, document_id, fact) NULLS NOT DISTINCT',
  'unique index mail_messages_pkey on mail_messages':
    'CREATE UNIQUE INDEX mail_messages_pkey ON public.mail_messages USING btree (account_id, message_id)',
  'unique index mail_progress_pkey on mail_progress':
    'CREATE UNIQUE INDEX mail_progress_pkey ON public.mail_progress USING btree (only_row)',
  'unique index mail_refusals_pkey on mail_refusals':
    'CREATE UNIQUE INDEX mail_refusals_pkey ON public.mail_refusals USING btree (account_id, address)',
  'unique index mail_settings_pkey on mail_settings':
    'CREATE UNIQUE INDEX mail_settings_pkey ON public.mail_settings USING btree (account_id)',
  'unique index mandates_pkey on mandates':
    'CREATE UNIQUE INDEX mandates_pkey ON public.mandates USING btree (account_id, mandate_id)',
  'unique index mandates_provider_mandate on mandates':
    'CREATE UNIQUE INDEX mandates_provider_mandate ON public.mandates USING btree (account_id, gateway, provider_mandate_id)',
  'unique index number_counters_pkey on number_counters':
    'CREATE UNIQUE INDEX number_counters_pkey ON public.number_counters USING btree (account_id, series, period)',
  'unique index number_series_default on number_series':
    'CREATE UNIQUE INDEX number_series_default ON public.number_series USING btree (account_id, kind) WHERE is_default',
  'unique index number_series_pkey on number_series':
    'CREATE UNIQUE INDEX number_series_pkey ON public.number_series USING btree (account_id, series)',
  'unique index payment_links_document on payment_links':
    'CREATE UNIQUE INDEX payment_links_document ON public.payment_links USING btree (account_id, payment_link_id, document_id)',
  'unique index payment_links_pkey on payment_links':
    'CREATE UNIQUE INDEX payment_links_pkey ON public.payment_links USING btree (account_id, payment_link_id)',
  'unique index payment_list_reads_pkey on payment_list_reads':
    'CREATE UNIQUE INDEX payment_list_reads_pkey ON public.payment_list_reads USING btree (gateway)',
  'unique index payment_reversals_pkey on payment_reversals':
    'CREATE UNIQUE INDEX payment_reversals_pkey ON public.payment_reversals USING btree (account_id, payment_id)',
  'unique index payment_settings_pkey on payment_settings':
    'CREATE UNIQUE INDEX payment_settings_pkey ON public.payment_settings USING btree (account_id)',
  'unique index payments_bank_entry on payments':
    'CREATE UNIQUE INDEX payments_bank_entry ON public.payments USING btree (account_id, bank_entry_id) WHERE ((bank_entry_id IS NOT NULL) AND (NOT is_reversed))',
  'unique index payments_pkey on payments':
    'CREATE UNIQUE INDEX payments_pkey ON public.payments USING btree (account_id, payment_id)',
  'unique index payments_provider on payments':
    'CREATE UNIQUE INDEX payments_provider ON public.payments USING btree (account_id, gateway, provider_payment_id) WHERE ((gateway IS NOT NULL) AND (NOT is_reversed))',
  'unique index payments_receipt on payments':
    'CREATE UNIQUE INDEX payments_receipt ON public.payments USING btree (account_id, receipt_id) WHERE ((receipt_id IS NOT NULL) AND (NOT is_reversed))',
  'unique index payout_lines_completed_once on payout_lines':
    'CREATE UNIQUE INDEX payout_lines_completed_once ON public.payout_lines USING btree (account_id, payout_id, completes) WHERE (completes IS NOT NULL)',
  'unique index payout_lines_fee_of_payment on payout_lines':
    'CREATE UNIQUE INDEX payout_lines_fee_of_payment ON public.payout_lines USING btree (account_id, payment_id) WHERE ((payment_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed))',
  'unique index payout_lines_fee_of_receipt on payout_lines':
    'CREATE UNIQUE INDEX payout_lines_fee_of_receipt ON public.payout_lines USING btree (account_id, receipt_id) WHERE ((receipt_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed))',
  'unique index payout_lines_fee_of_refund on payout_lines':
    'CREATE UNIQUE INDEX payout_lines_fee_of_refund ON public.payout_lines USING btree (account_id, refund_id) WHERE ((refund_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed))',
  'unique index payout_lines_pkey on payout_lines':
    'CREATE UNIQUE INDEX payout_lines_pkey ON public.payout_lines USING btree (account_id, payout_id, "position")',
  'unique index payout_undoings_pkey on payout_undoings':
    'CREATE UNIQUE INDEX payout_undoings_pkey ON public.payout_undoings USING btree (account_id, payout_id, kind)',
  'unique index payouts_once on payouts':
    "CREATE UNIQUE INDEX payouts_once ON public.payouts USING btree (account_id, gateway, provider_payout_id) WHERE (status <> 'reversed'::text)",
  'unique index payouts_pkey on payouts':
    'CREATE UNIQUE INDEX payouts_pkey ON public.payouts USING btree (account_id, payout_id)',
  'unique index pending_documents_pkey on pending_documents':
    'CREATE UNIQUE INDEX pending_documents_pkey ON public.pending_documents USING btree (account_id, document_id)',
  'unique index period_closings_pkey on period_closings':
    'CREATE UNIQUE INDEX period_closings_pkey ON public.period_closings USING btree (account_id, closing_id)',
  'unique index portal_tokens_pkey on portal_tokens':
    'CREATE UNIQUE INDEX portal_tokens_pkey ON public.portal_tokens USING btree (token_sha256)',
  'unique index provider_events_pkey on provider_events':
    'CREATE UNIQUE INDEX provider_events_pkey ON public.provider_events USING btree (gateway, event_id)',
  'unique index provider_failures_pkey on provider_failures':
    'CREATE UNIQUE INDEX provider_failures_pkey ON public.provider_failures USING btree (gateway, event_id)',
  'unique index provider_payout_waits_pkey on provider_payout_waits':
    'CREATE UNIQUE INDEX provider_payout_waits_pkey ON public.provider_payout_waits USING btree (gateway, provider_id, kind, provider_payout_id)',
  'unique index provider_payouts_pkey on provider_payouts':
    'CREATE UNIQUE INDEX provider_payouts_pkey ON public.provider_payouts USING btree (gateway, event_id)',
  'unique index provider_receipts_pkey on provider_receipts':
    'CREATE UNIQUE INDEX provider_receipts_pkey ON public.provider_receipts USING btree (gateway, provider_payment_id)',
  'unique index provider_reversals_once on provider_reversals':
    'CREATE UNIQUE INDEX provider_reversals_once ON public.provider_reversals USING btree (account_id, gateway, provider_payment_id, reference)',
  'unique index provider_reversals_pkey on provider_reversals':
    'CREATE UNIQUE INDEX provider_reversals_pkey ON public.provider_reversals USING btree (account_id, reversal_id)',
  'unique index refresh_tokens_pkey on refresh_tokens':
    'CREATE UNIQUE INDEX refresh_tokens_pkey ON public.refresh_tokens USING btree (token_sha256)',
  'unique index refund_credit_notes_pkey on refund_credit_notes':
    'CREATE UNIQUE INDEX refund_credit_notes_pkey ON public.refund_credit_notes USING btree (account_id, credit_note_id)',
  'unique index refund_meanings_pkey on refund_meanings':
    'CREATE UNIQUE INDEX refund_meanings_pkey ON public.refund_meanings USING btree (account_id, refund_id, step)',
  'unique index refund_names_pkey on refund_names':
    'CREATE UNIQUE INDEX refund_names_pkey ON public.refund_names USING btree (account_id, gateway, provider_refund_id)',
  'unique index refund_parts_pkey on refund_parts':
    'CREATE UNIQUE INDEX refund_parts_pkey ON public.refund_parts USING btree (account_id, refund_id, document_id)',
  'unique index refund_requests_pkey on refund_requests':
    'CREATE UNIQUE INDEX refund_requests_pkey ON public.refund_requests USING btree (account_id, scope)',
  'unique index refund_undoings_pkey on refund_undoings':
    'CREATE UNIQUE INDEX refund_undoings_pkey ON public.refund_undoings USING btree (account_id, refund_id)',
  'unique index refunds_once_of_provider on refunds':
    'CREATE UNIQUE INDEX refunds_once_of_provider ON public.refunds USING btree (account_id, gateway, provider_refund_id) WHERE (provider_refund_id IS NOT NULL)',
  'unique index refunds_pkey on refunds':
    'CREATE UNIQUE INDEX refunds_pkey ON public.refunds USING btree (account_id, refund_id)',
  'unique index revocations_pkey on revocations':
    'CREATE UNIQUE INDEX revocations_pkey ON public.revocations USING btree (revocation_id)',
  'unique index seal_heads_pkey on seal_heads':
    'CREATE UNIQUE INDEX seal_heads_pkey ON public.seal_heads USING btree (account_id)',
  'unique index seals_pkey on seals':
    'CREATE UNIQUE INDEX seals_pkey ON public.seals USING btree (account_id, sequence)',
  'unique index seals_seen_pkey on seals_seen':
    'CREATE UNIQUE INDEX seals_seen_pkey ON public.seals_seen USING btree (account_id, sequence)',
  'unique index seller_logos_pkey on seller_logos':
    'CREATE UNIQUE INDEX seller_logos_pkey ON public.seller_logos USING btree (account_id, sha256)',
  'unique index tax_rates_pkey on tax_rates':
    'CREATE UNIQUE INDEX tax_rates_pkey ON public.tax_rates USING btree (account_id, tax_rate_id)',
  'unique index tax_reliefs_pkey on tax_reliefs':
    'CREATE UNIQUE INDEX tax_reliefs_pkey ON public.tax_reliefs USING btree (account_id, relief_id, tax_category, tax_rate)',
  'unique index token_families_pkey on token_families':
    'CREATE UNIQUE INDEX token_families_pkey ON public.token_families USING btree (family_id)',
  'unique index transfers_pkey on transfers':
    'CREATE UNIQUE INDEX transfers_pkey ON public.transfers USING btree (account_id, transfer_id)',
  'unique index unmatched_item_steps_pkey on unmatched_item_steps':
    'CREATE UNIQUE INDEX unmatched_item_steps_pkey ON public.unmatched_item_steps USING btree (account_id, item_id, step)',
  'unique index unmatched_items_pkey on unmatched_items':
    'CREATE UNIQUE INDEX unmatched_items_pkey ON public.unmatched_items USING btree (account_id, item_id)',
  'unique index unmatched_items_subject on unmatched_items':
    'CREATE UNIQUE INDEX unmatched_items_subject ON public.unmatched_items USING btree (account_id, gateway, subject)',
  'unique index unmatched_receipts_pkey on unmatched_receipts':
    'CREATE UNIQUE INDEX unmatched_receipts_pkey ON public.unmatched_receipts USING btree (account_id, receipt_id)',
  'unique index unmatched_receipts_provider on unmatched_receipts':
    'CREATE UNIQUE INDEX unmatched_receipts_provider ON public.unmatched_receipts USING btree (account_id, gateway, provider_payment_id)',
  'unique index vat_methods_pkey on vat_methods':
    'CREATE UNIQUE INDEX vat_methods_pkey ON public.vat_methods USING btree (account_id, method_id)',
};
