import { maskedNumber } from '../../kernel/masked-number.js';

/** The actions of audit entries; commands of the operator are `cli.<command>`. */
type AuditAction =
  | 'account.created'
  | 'bank_entry.booked'
  | 'bank_entry.ignored'
  | 'bank_entry.unbooked'
  | 'bank_file_mapping.created'
  | 'bank_file_mapping.updated'
  | 'bank_file_mapping.deleted'
  | 'bank_statement.withdrawn'
  | 'chart_of_accounts.updated'
  | 'client.created'
  | 'client.updated'
  | 'client.rotated'
  | 'client.revoked'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.archived'
  | 'customer.unarchived'
  | 'customer.deleted'
  | 'customer.erased'
  | 'customer.vat_number_checked'
  | 'extension_settings.updated'
  | 'gateway.created'
  | 'gateway.disabled'
  | 'gateway.enabled'
  | 'gateway.secret_retired'
  | 'gateway.secret_rotated'
  | 'gateway.updated'
  | 'gateway_event.replayed'
  | 'integrity.checked'
  | 'integrity.requested'
  | 'integrity.paused'
  | 'integrity.resumed'
  | 'integrity.canceled'
  | 'item.created'
  | 'item.updated'
  | 'item.archived'
  | 'item.unarchived'
  | 'login.failed'
  | 'mail_settings.updated'
  | 'mandate.updated'
  | 'message.requested'
  | 'message.retried'
  | 'numbering.created'
  | 'numbering.updated'
  | 'numbering.skipped'
  | 'payment_settings.updated'
  | 'period.closed'
  | 'period.reopened'
  | 'portal_token.created'
  | 'portal_token.revoked'
  | 'refresh_token.reused'
  | 'document.dunning_changed'
  | 'dunning_plan.updated'
  | 'reminder.charges_waived'
  | 'reminder.marked_sent'
  | 'schedule.created'
  | 'schedule.updated'
  | 'schedule.paused'
  | 'schedule.resumed'
  | 'schedule.ended'
  | 'schedule.period_made'
  | 'schedule.period_moved'
  | 'schedule.period_skipped'
  | 'schema.migrated'
  | 'seller.updated'
  | 'signature.refused'
  | 'tax_rate.created'
  | 'tax_rate.updated'
  | 'tax_rate.archived'
  | 'tax_rate.unarchived'
  | 'test_clock.advanced'
  | 'token.revoked'
  | 'unmatched_item.closed'
  | 'unmatched_item.reopened'
  | 'vat_method.set'
  | 'webhook_delivery.redelivered'
  | 'webhook_delivery.replayed'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.enabled'
  | 'webhook_endpoint.rotated'
  | 'webhook_endpoint.updated'
  | `cli.${string}`;

type Fields = Readonly<Record<string, unknown>>;

/** A change: what it is of, and the fields as they were and as they are, as the API names them. */
export interface AuditedChange {
  action: AuditAction;
  /** Public id or name of what was changed; null for what there is one of. */
  subject: string | null;
  /** Null for what is new. */
  before: Fields | null;
  /** Null for what is gone. */
  after: Fields | null;
}

/** Fields whose values no entry holds, wherever they stand. */
const SECRET = /secret|password|(^|_)(token|key)$/;

/**
 * Only the fields that differ. The numbers of bank accounts end in their last four characters:
 * enough to know the right one, too little to debit it.
 */
export function differences(
  before: Fields | null,
  after: Fields | null,
): Pick<AuditedChange, 'before' | 'after'> {
  if (!before || !after) return { before: before && shown(before), after: after && shown(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  const picked = (fields: Fields) =>
    shown(Object.fromEntries(names.map((name) => [name, fields[name] ?? null])));
  return { before: picked(before), after: picked(after) };
}

const ACCOUNT_NUMBERS = new Set(['iban', 'bank_account', 'account_number', 'payment_account']);

/** As JSON has it, without what nobody may read here. */
function shown(fields: Fields): Fields {
  const text = JSON.stringify(fields, (name, value: unknown) => {
    // The end of a secret is none.
    if (SECRET.test(name) && !name.endsWith('_at')) return '[not kept]';
    return ACCOUNT_NUMBERS.has(name) && typeof value === 'string' ? maskedNumber(value) : value;
  });
  return JSON.parse(text) as Fields;
}
