import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MIGRATED_SCHEMA } from '../../src/platform/database/schema-listing.js';
import { PERSONAL_PLACES } from '../../src/privacy/infrastructure/personal-places.js';
import { PERSONAL_COLUMNS } from './personal-columns.js';

// A new column of text, JSON or bytes needs a word here. It stands in the table of docs/privacy.md if it
// may hold something of a customer. Else it stands in the list below, under the reason.

const NOT_PERSONAL: Record<string, Record<string, string>> = {
  'what the account or its operator says of the business itself': {
    accounts: 'base_currency document_defaults document_notes language mode name seller time_zone',
    api_clients:
      'addresses had_addresses had_scopes name previous_secret_sha256 scopes secret_sha256',
    bank_file_mappings: 'bank_account header hints',
    bank_statements: 'format hints sections sha256 unused_columns',
    chart_settings: 'cash_accounts datev losses numbers revenue template',
    dunning_plans: 'terms',
    exchange_rates: 'base quote source',
    extension_settings: 'extension sealed_settings',
    gateways: 'name provider sealed_settings status',
    items:
      'description details exemption_code exemption_reason external_id metadata name prices search sku tax_category unit',
    number_counters: 'period series',
    number_series: 'kind pattern reset series',
    payment_settings: 'refund_meaning underpayment_tolerance',
    payout_undoings: 'kind reason',
    payouts: 'descriptor gateway provider_payout_id status',
    schedule_usage: 'meter',
    seller_logos: 'content_type image sha256',
    tax_rates: 'country description exemption_code exemption_reason metadata name tax_category',
    webhook_endpoints:
      'description disabled_reason metadata payload previous_sealed_secret public_key scopes sealed_secret signing status types url',
  },
  'how the service works: digests, names of programs, figures': {
    claim_sums: 'span',
    event_marks: 'consumer history',
    extension_migrations: 'extension made name sha256',
    extension_seals: 'columns extension table_name',
    gateway_sums: 'gateway part span',
    held_work: 'history kind',
    integrity_runs: 'checks_done failed_check found head_digest status',
    migrations: 'name',
    payment_list_reads: 'gateway',
    provider_payouts: 'descriptor event_id event_type gateway provider_payout_id reason status',
    refresh_tokens: 'token_sha256',
    refund_requests: 'request_sha256 scope',
    seal_heads: 'digest',
    seals: 'contents digest',
    seals_seen: 'digest',
    test_clocks: 'mode',
    token_families: 'scopes',
    transfer_sums: 'credit debit fact span',
  },
  'codes, kinds and states, names of gateways, digests': {
    transfers: 'credit debit fact',
    allocations: 'reason',
    attachment_files: 'sha256',
    audit_entries: 'action actor_type',
    bank_entries:
      'bank_account batch_key direction entry_key ledger_account status transaction_type',
    conversions: 'rate_from rate_source worth_currency',
    customers: 'cash_discounts',
    debit_retries: 'status',
    dispute_steps: 'status',
    disputes: 'gateway',
    document_contents: 'seller tax_groups',
    document_lines: 'exemption_reason tax_category unit',
    document_pdfs: 'language sha256',
    document_tax_groups: 'exemption_code exemption_reason tax_category',
    documents:
      'cash_discounts collection_method kind language lifecycle number number_period number_series origin tax_relief',
    dunning_charges: 'kind parts status',
    dunning_states: 'waits_for',
    e_invoices: 'profile release sha256',
    events: 'actor_type type',
    gateway_deliveries: 'event_types gateway outcome problem',
    idempotency_keys: 'request_sha256 route',
    removed_files: 'sha256',
    mail_messages: 'fact kind status',
    mandates: 'gateway status',
    payment_links: 'gateway status',
    payments: 'gateway method',
    payout_lines: 'kind',
    period_closings: 'action',
    provider_events: 'event_type gateway outcome',
    provider_failures: 'dispute_status event_id gateway kind',
    provider_payout_waits: 'gateway kind provider_payout_id',
    provider_receipts: 'event_id gateway unmatched_reason',
    provider_reversals: 'gateway',
    refund_meanings: 'meaning problem said_by',
    refund_names: 'gateway',
    refund_undoings: 'kind',
    refunds: 'gateway method paid_from status',
    reminders: 'problem reason status words',
    schedule_periods: 'status',
    schedules: 'skips status',
    tax_reliefs: 'loss tax_category',
    unmatched_item_steps: 'status',
    unmatched_items: 'direction event_id event_type gateway',
    unmatched_receipts: 'gateway reason',
    vat_methods: 'method',
    webhook_deliveries: 'status',
  },
};

/** All other types may hold words or bytes. */
const WITHOUT_WORDS =
  /^(uuid|boolean|smallint|integer|bigint|numeric|date|timestamptz|(uuid|smallint|integer|date)\[\])$/;

/** Answers to keys are what is exported; endpoints' answers are theirs; these have ids of money alone. */
const NOT_EXPORTED = [
  'document_lines',
  'idempotency_keys',
  'payout_lines',
  'provider_events',
  'provider_payout_waits',
  'provider_payouts',
  'refund_names',
  'unmatched_item_steps',
  'webhook_deliveries',
];

const wordColumns = Object.entries(MIGRATED_SCHEMA.columns).flatMap(([table, columns]) =>
  Object.entries(columns)
    .filter(([name, { type }]) => !WITHOUT_WORDS.test(type) && name !== 'currency')
    .map(([name]) => `${table}.${name}`),
);

const others = Object.values(NOT_PERSONAL).flatMap((tables) =>
  Object.entries(tables).flatMap(([table, names]) =>
    names.split(' ').map((name) => `${table}.${name}`),
  ),
);

describe('personal data', () => {
  it('are told of in docs/privacy.md, or a reason says why a column has none', () => {
    const told = [...PERSONAL_COLUMNS.keys(), ...others];
    expect(told.toSorted()).toEqual(wordColumns.toSorted());
  });

  it('are exported, from each table that has them', () => {
    const tables = new Set([...PERSONAL_COLUMNS.keys()].map((column) => column.split('.')[0]));
    const exported = new Set(PERSONAL_PLACES.map(({ of }) => of));
    expect([...tables].filter((table) => !exported.has(table!)).toSorted()).toEqual(NOT_EXPORTED);
  });

  it('stand in a known table each', () => {
    const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| `\w+` \|/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    const fates = rows.filter((row) => !/\| (erased|kept|expires)\b[^|]*\|$/.test(row));
    expect(fates).toEqual([]);
  });
});
