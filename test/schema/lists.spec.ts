import { GATEWAY_PARTS } from '../../src/bank/domain/gateway-reconciliation.js';
import { DELIVERY_STATUSES } from '../../src/feed/domain/delivery.js';
import {
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  PAYLOADS,
  SIGNINGS,
} from '../../src/feed/domain/webhook-endpoint.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GATEWAY_STATUSES } from '../../src/payments/port/domain/account-gateway.js';
import { ACCOUNT_MODES } from '../../src/auth/domain/account-mode.js';
import { AUDIT_ACTOR_TYPES } from '../../src/auth/infrastructure/audit.query.js';
import { BANK_ENTRY_STATUSES, POSTED_ACCOUNTS } from '../../src/bank/domain/bank-entry.js';
import { BANK_STATEMENT_FORMATS, DIRECTIONS } from '../../src/bank/domain/bank-statement.js';
import { PAYOUT_STATUSES, PAYOUT_UNDOINGS } from '../../src/bank/domain/payouts/payout.js';
import { AWAITED_KINDS, PAYOUT_LINE_KINDS } from '../../src/payments/port/domain/payout-line.js';
import { SUM_SPANS } from '../../src/books/infrastructure/transfer-sums.repository.js';
import { CHART_TEMPLATES } from '../../src/books/domain/chart-templates.js';
import { LOSS_KINDS } from '../../src/books/domain/ledger.js';
import { VAT_METHODS } from '../../src/books/domain/tax-report.js';
import { LEDGER_ACCOUNTS } from '../../src/books/domain/ledger.js';
import { PREFIX_OF_FACT } from '../../src/books/domain/transfer.js';
import { CHARGE_KINDS } from '../../src/dunning/domain/reminder.js';
import { COLLECTION_METHODS } from '../../src/documents/domain/collection-method.js';
import { ORIGIN_RELATIONS } from '../../src/documents/domain/document-state.js';
import { DOCUMENT_KINDS, NEXT, PAYABLE } from '../../src/documents/domain/lifecycle.js';
import { RESETS } from '../../src/documents/domain/numbering/number-series.js';
import { CUSTOMER_KINDS } from '../../src/documents/domain/parties/customer.js';
import { LOGO_TYPES } from '../../src/documents/domain/parties/logo.js';
import { ACTOR_TYPES } from '../../src/kernel/actor.js';
import { RATE_ORIGINS } from '../../src/payments/recording/domain/conversion.js';
import { DISPUTE_STATUSES } from '../../src/payments/port/domain/told-dispute.js';
import { DELIVERY_OUTCOMES } from '../../src/payments/inbox/domain/gateway-delivery.js';
import {
  EARLY_KINDS,
  FAILURE_KINDS,
  TOLD_PAYOUT_STATUSES,
} from '../../src/payments/port/domain/provider-report.js';
import {
  DIRECTIONS_OF_ITEMS,
  UNMATCHED_ITEM_STATUSES,
} from '../../src/payments/recording/domain/unmatched-item.js';
import { DEBIT_RETRY_STATUSES } from '../../src/payments/collecting/domain/mandates/debit-retry.js';
import { MANDATE_STATUSES } from '../../src/payments/port/domain/mandates/mandate-status.js';
import { STORED_LINK_STATUSES } from '../../src/payments/collecting/domain/payment-link.js';
import {
  isSettled,
  REFUND_ACCOUNTS,
  REFUND_STATUSES,
  REFUND_UNDOINGS,
} from '../../src/payments/returning/domain/refund.js';
import { MEANINGS_SAID_BY } from '../../src/payments/returning/domain/refunds/refund-meaning.js';
import { REFUND_MEANINGS } from '../../src/payments/recording/domain/payment-settings.js';
import {
  PROVIDER_RECEIPT_REASONS,
  UNMATCHED_REASONS,
  WEBHOOK_OUTCOMES,
} from '../../src/payments/port/domain/webhook-outcome.js';
import { KINDS_TO_SELLER, MESSAGE_KINDS, MESSAGE_STATUSES } from '../../src/mail/domain/message.js';
import {
  SCHEDULE_PERIOD_STATUSES,
  SCHEDULE_STATUSES,
} from '../../src/schedules/domain/schedule.js';
import { CLOSING_ACTIONS } from '../../src/books/domain/period.js';
import { RUN_STATUSES } from '../../src/integrity/domain/integrity-run.js';
import { HELD_KINDS } from '../../src/platform/held-work.js';
import { ALLOCATION_REASONS } from '../../src/payments/recording/infrastructure/payment.repository.js';

// Lists of words stand in the schema, in checks, domains, triggers and functions. All of them are
// found here, and each has to be a list of the code, or what one of its rules says.

const SETTLED = REFUND_STATUSES.filter((status) => isSettled({ status }));
const UNSETTLED = REFUND_STATUSES.filter((status) => !isSettled({ status }));
const OF_PAYMENTS = BANK_ENTRY_STATUSES.slice(0, 3);
/** An invoice that is asked for again was not written off. */
const WRITTEN_OFF = [
  'uncollectible',
  ...NEXT.invoice.uncollectible.filter((one) => one !== 'open'),
];

/** Each list of the schema by its place and column, in the order of docs/schema.sql. */
const LISTS: [place: string, words: readonly string[]][] = [
  ['accounts_mode_known mode', ACCOUNT_MODES],
  ['allocations_reason_known reason', ALLOCATION_REASONS],
  ['audit_entries_actor_type_known actor_type', AUDIT_ACTOR_TYPES],
  ['bank_entries_account_known ledger_account', POSTED_ACCOUNTS],
  ['bank_entries_booked_has_its_payment status', OF_PAYMENTS],
  // A debit is kept, or takes back, or stands on an account; a credit does not take back.
  [
    'bank_entries_debit_is_no_payment status',
    ['debit', 'returned', 'posted', 'replaced', 'withdrawn'],
  ],
  ['bank_entries_debit_is_no_payment status', ['debit', 'returned']],
  ['bank_entries_direction_known direction', DIRECTIONS],
  // No list of the code: what a judgement may leave as it came. `firstStatus` says the same.
  ['bank_entries_matched_when_judged status', ['unmatched', 'debit']],
  ['bank_entries_status_known status', BANK_ENTRY_STATUSES],
  // An index has no name here. These two count what waits for a person.
  ['? status', ['proposed', 'unmatched']],
  ['bank_statements_format_known format', BANK_STATEMENT_FORMATS],
  ['chart_settings_template_known template', CHART_TEMPLATES],
  ['claim_sums_span_known span', SUM_SPANS],
  ['conversions_rate_from_known rate_from', RATE_ORIGINS],
  ['customers_kind_known kind', CUSTOMER_KINDS],
  ['debit_retries_status_known status', DEBIT_RETRY_STATUSES],
  ['dispute_steps_status_known status', DISPUTE_STATUSES],
  ['? status', ['inquiry', 'open']],
  ['dunning_charges_kind_known kind', CHARGE_KINDS],
  ['dunning_charges_status_known status', ['proposed', 'claimed', 'waived', 'withdrawn']],
  ['events_actor_type_known actor_type', ACTOR_TYPES],
  ['gateway_deliveries_outcome_known outcome', DELIVERY_OUTCOMES],
  ['gateway_sums_part_known part', GATEWAY_PARTS],
  ['gateway_sums_span_known span', SUM_SPANS],
  ['gateways_status_known status', GATEWAY_STATUSES],
  ['held_work_kind_known kind', HELD_KINDS],
  ['integrity_runs_status_known status', RUN_STATUSES],
  ['mail_messages_about_a_document_or_a_change kind', [...KINDS_TO_SELLER, 'statement']],
  ['mail_messages_kind_known kind', MESSAGE_KINDS],
  ['mail_messages_status_known status', MESSAGE_STATUSES],
  ['mandates_active_has_its_name status', ['active', 'suspended']],
  ['mandates_ended_has_its_time status', ['canceled', 'expired', 'failed']],
  ['mandates_status_known status', MANDATE_STATUSES],
  ['number_series_kind_known kind', DOCUMENT_KINDS],
  ['number_series_reset_known reset', RESETS],
  ['payment_links_status_known status', STORED_LINK_STATUSES],
  ['payment_settings_refund_meaning_known refund_meaning', REFUND_MEANINGS],
  ['payout_lines_completes_an_unknown_one kind', AWAITED_KINDS],
  ['payout_lines_kind_known kind', PAYOUT_LINE_KINDS],
  ['payout_undoings_kind_known kind', PAYOUT_UNDOINGS],
  ['payouts_status_known status', PAYOUT_STATUSES],
  ['period_closings_action_known action', CLOSING_ACTIONS],
  ['provider_events_outcome_known outcome', WEBHOOK_OUTCOMES],
  ['provider_failures_dispute_status_known dispute_status', DISPUTE_STATUSES],
  ['provider_failures_kind_known kind', EARLY_KINDS],
  ['provider_failures_refund_has_an_amount kind', FAILURE_KINDS],
  ['provider_payout_waits_kind_known kind', AWAITED_KINDS],
  ['provider_payouts_status_known status', TOLD_PAYOUT_STATUSES],
  ['provider_receipts_reason_known unmatched_reason', PROVIDER_RECEIPT_REASONS],
  ['refund_meanings_meaning_known meaning', REFUND_MEANINGS],
  ['refund_meanings_said_by_known said_by', MEANINGS_SAID_BY],
  ['refund_undoings_kind_known kind', REFUND_UNDOINGS],
  ['refunds_looked_up_until_settled status', UNSETTLED],
  ['refunds_paid_from_known paid_from', REFUND_ACCOUNTS],
  ['refunds_settled_has_its_time status', SETTLED],
  ['refunds_status_known status', REFUND_STATUSES],
  ['refunds_unsettled_only_by_gateway status', SETTLED],
  ['refunds_settle_once status', SETTLED],
  ['reminders_status_known status', MESSAGE_STATUSES],
  ['schedule_periods_status_known status', SCHEDULE_PERIOD_STATUSES],
  ['? status', ['failed', 'waiting']],
  ['schedules_status_known status', SCHEDULE_STATUSES],
  ['seller_logos_type_known content_type', LOGO_TYPES],
  ['tax_reliefs_loss_known loss', LOSS_KINDS],
  ['transfer_sums_span_known span', SUM_SPANS],
  ['unmatched_item_steps_status_known status', UNMATCHED_ITEM_STATUSES],
  ['unmatched_items_direction_known direction', DIRECTIONS_OF_ITEMS],
  ['unmatched_receipts_reason_known reason', UNMATCHED_REASONS],
  ['vat_methods_method_known method', VAT_METHODS],
  ['webhook_deliveries_status_known status', DELIVERY_STATUSES],
  ['webhook_endpoints_disabled_reason_known disabled_reason', DISABLED_REASONS],
  ['webhook_endpoints_payload_known payload', PAYLOADS],
  ['webhook_endpoints_signing_known signing', SIGNINGS],
  ['webhook_endpoints_status_known status', ENDPOINT_STATUSES],
  ['ledger_account_of_the_chart VALUE', LEDGER_ACCOUNTS],
  ['ledger_fact_known VALUE', Object.keys(PREFIX_OF_FACT)],
  ['check_document_particulars collection_method', COLLECTION_METHODS],
  ['check_document_state kind', DOCUMENT_KINDS],
  ['check_document_state lifecycle', Object.keys(NEXT.invoice)],
  ['check_document_state origin', ORIGIN_RELATIONS],
  ['check_document_state lifecycle', WRITTEN_OFF],
  ['document_money_is_sound lifecycle', PAYABLE],
  ['document_money_is_sound lifecycle', PAYABLE],
];

const PARTS = /^(?=\s*CONSTRAINT |CREATE )/m;
const NAME = /CONSTRAINT (\w+)|^CREATE (?:OR REPLACE FUNCTION|TRIGGER|TABLE) (\w+)/;
/**
 * `status = ANY (ARRAY['open'::text, ...])`, also of a value without its last letters, and in
 * functions `NEW.kind NOT IN ('invoice', ...)`.
 */
const LIST =
  /(\w+)(?:, '-\d'::integer\))? (?:(?:=|<>) A(?:NY|LL) \(ARRAY\[([^\]]*)\]|(?:NOT )?IN\s*\(('[^)]*)\))/g;
/** `VALUE ~ '^(cash|revenue)/...'`, also in groups: `payment\.(recorded|moved)`. */
const PATTERN = /(\w+) ~ '([^']*\w\|\w[^']*)'/g;

function listsIn(schema: string): [place: string, words: string[]][] {
  return schema.split(PARTS).flatMap((part) => {
    const place = NAME.exec(part)?.slice(1).find(Boolean) ?? '?';
    const lists = [...part.matchAll(LIST)].map(([, column, printed, written]) => {
      const words = `${printed ?? written}`.matchAll(/'([^']*)'/g);
      return [`${place} ${column}`, Array.from(words, ([, word = '']) => word)] as [
        string,
        string[],
      ];
    });
    const patterns = [...part.matchAll(PATTERN)].map(([, column, pattern = '']) => {
      const groups = [...pattern.matchAll(/(\w+\\\.)?\(([\w|]+)\)/g)];
      const words = groups.flatMap(([, prefix = '', all = '']) =>
        all.split('|').map((word) => prefix.replace('\\', '') + word),
      );
      return [`${place} ${column}`, words] as [string, string[]];
    });
    return [...lists, ...patterns];
  });
}

const sorted = (lists: readonly [string, readonly string[]][]) =>
  lists.map(([place, words]) => [place, words.toSorted()]);

describe('lists of words in the schema', () => {
  it('are those of the code', () => {
    const schema = readFileSync(new URL('../../docs/schema.sql', import.meta.url), 'utf8');
    expect(sorted(listsIn(schema))).toEqual(sorted(LISTS));
  });

  it.each([
    [`  CONSTRAINT a_known CHECK (a = ANY (ARRAY['x'::text, 'y'::text]))`, 'a_known a', ['x', 'y']],
    [`  CONSTRAINT a_other CHECK (a <> ALL (ARRAY['x'::text]))`, 'a_other a', ['x']],
    [`CREATE TRIGGER t WHEN (old.a = ANY (ARRAY['x'::text]))`, 't a', ['x']],
    [`CREATE OR REPLACE FUNCTION f()\n WHEN NEW.a NOT IN\n  ('x', 'y')`, 'f a', ['x', 'y']],
    [
      `CREATE DOMAIN d AS text CONSTRAINT d_known CHECK (VALUE ~ '^(x|y)/z$')`,
      'd_known VALUE',
      ['x', 'y'],
    ],
    [
      `CREATE DOMAIN d AS text CONSTRAINT k CHECK (VALUE ~ '^(m\\.(x|y)|n\\.(z))$')`,
      'k VALUE',
      ['m.x', 'm.y', 'n.z'],
    ],
  ])('are found in %s', (sql, place, words) => {
    expect(listsIn(sql)).toEqual([[place, words]]);
  });
});
