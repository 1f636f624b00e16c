/** These leave no trace of who called, and why. */
export const EXEMPT: Record<string, string> = {
  'POST /docs/demo-token': 'a demo signs in as its own client, as it prints how to',
  'POST /v1/auth/token': 'changes nothing but until when a client may call; a failure is audited',
  'POST /v1/finance/documents/preview': 'stores nothing',
  'POST /v1/finance/seller/template/preview': 'stores nothing',
  'POST /v1/finance/schedules/preview': 'stores nothing',
  'POST /v1/finance/schedules/:id/preview': 'stores nothing',
  'POST /v1/finance/schedules/:id/usage': 'what was used; its document is an event',
  'POST /v1/finance/documents/validate': 'stores nothing',
  'POST /v1/finance/documents/:id/validate': 'stores nothing',
  'POST /v1/finance/customers/:id/check-vat-number':
    'asks nobody here; its entry is judged in vat-number-checks.e2e-spec.ts',
  'POST /v1/finance/gateways/:id/test': 'asks the provider, and changes nothing',
  'POST /v1/finance/refunds/:id/look-up': 'asks the provider, whose answer is an event',
  'POST /v1/portal/:token/stop-reminders': 'a wish of its reader, kept with the address',
  'POST /v1/sandbox/:gateway/:link': 'only calls the webhook',
  'POST /v1/sandbox/outcomes': 'only calls the webhook',
};

/** Tables whose rows tell nothing that somebody decided on, and why. */
export const UNTOLD: Record<string, string> = {
  api_clients: 'last use, which requests for a token bring; changes are in the audit log',
  claim_sums: 'what transfers come to',
  transfer_sums: 'what transfers come to',
  bank_entries: 'what its import makes of it by itself; what somebody says is in the audit log',
  checkout_look_ups: 'when a provider is asked next what became of its page',
  document_pdfs: 'made of an issued document when it is first read',
  e_invoices: 'made of an issued document when it is first read',
  gateway_deliveries: 'calls of providers, kept for days; a replay is in the audit log',
  idempotency_keys: 'answers, kept for days',
  integrity_runs: 'when the books were checked',
  mail_letters: 'how many were sent to whom; each is of a message',
  mail_messages: 'what became of a message; a request for one is in the audit log',
  event_marks: 'how far events were read',
  mail_progress: 'when due invoices were looked for',
  mail_refusals: 'a wish of a reader',
  mandates:
    'the page that its provider made for it, and when it is asked next; all else is an event',
  payment_links: 'the page that its provider made for it; making and ending one are events',
  period_closings: 'when a closing was settled; the audit log tells who decided on it',
  provider_events: 'what a gateway reported; what comes of it is an event',
  unmatched_items:
    'what a gateway reported and nobody could book; steps of it are in the audit log',
  refresh_tokens: 'until when a client may call; what ends them is in the audit log',
  dunning_states: 'how far reminders are; a change by a person is in the audit log',
  held_work: 'which work waits since a restore; the word for it is in the audit log',
  seal_heads: 'digests of what is told',
  seals: 'digests of what is told',
  test_clocks: 'where a clock stands on its way; the audit log has where it began and ended',
  webhook_deliveries: 'what became of an event on its way; a repeat is in the audit log',
  webhook_queues: 'which process sends, and when',
  token_families: 'until when a client may call; what ends them is in the audit log',
};
