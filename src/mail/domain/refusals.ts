import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of mail. */
export const MailRefusal = domainRefusals({
  not_found: {
    message_not_found: 'There is no such message.',
  },
  conflict: {
    too_many_messages:
      'No more than 20 messages of a document leave within 24 hours; try again after 2026-11-27T09:00:00.000Z.',
    mail_not_configured: 'This installation sends no mail; the operator sets QUITTANCE_SMTP_URL.',
    document_not_sendable: 'Nothing is due on this document, so nobody is reminded.',
    reminders_refused: 'accounts@globex.example wants no reminders; send it the document.',
    statement_empty: 'Nothing moved in that month, and nothing was open at its end.',
    reminders_by_dunning_plan:
      'The dunning plan reminds customers already, and nobody is reminded twice; take its steps away first.',
    message_not_failed: 'Only a message that failed or was canceled is sent again.',
  },
  invalid: {
    recipient_required: 'The customer of this document has no e-mail address; name one in `to`.',
    invalid_reminder_days: 'reminder_days must be a list of at most 10 whole numbers of days.',
    invalid_quote_days: 'quote_days must be a list of at most 10 whole numbers of days.',
  },
});
