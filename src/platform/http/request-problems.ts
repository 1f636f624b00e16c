export type ProblemEntry = readonly [status: number, example: string];

/** Codes with another status at calls of providers, which do not send again what is answered 409. */
export const AT_WEBHOOKS: Readonly<Record<string, number>> = { document_busy: 503 };

/**
 * Codes 400 to 408 of the catalog: the request cannot be read, its caller may not make it, or its
 * path names nothing.
 */
export const REQUEST_PROBLEMS = {
  malformed_json: [400, 'The body is not well-formed JSON. Correct it and send it again.'],
  duplicate_key: [400, 'amount stands twice in one object; send it once.'],
  body_too_complex: [
    400,
    'The body has more than 1000 names, which is more than this call takes; send less at once.',
  ],
  malformed_path: [400, 'The path is not valid percent-encoded UTF-8.'],
  malformed_request: [400, 'The request could not be read to its end.'],
  invalid_query: [400, 'limit must be a whole number from 1 to 100.'],
  invalid_cursor: [
    400,
    'cursor is not one of ours; send next_cursor of the previous page unchanged.',
  ],
  invalid_if_match: [400, 'If-Match must be * or the ETag that was read, such as "3".'],
  unsupported_precondition: [400, 'This call does not look at that precondition; leave it out.'],
  invalid_idempotency_key: [400, 'Idempotency-Key must be 1 to 255 printable ASCII characters.'],
  invalid_signature: [400, 'The signature is missing, wrong or too old; nothing was changed.'],
  invalid_request: [400, 'Send client_id and client_secret, in the body or as HTTP Basic.'],
  invalid_grant: [400, 'The refresh token is unknown, used, expired or revoked.'],
  invalid_scope: [400, 'This client may ask for: documents:read payments:write.'],
  unsupported_grant_type: [400, 'grant_type must be one of client_credentials, refresh_token.'],
  invalid_client: [401, 'client_id or client_secret is wrong; `client create` makes a new pair.'],
  missing_token: [401, 'Send Authorization: Bearer <access token>; POST /v1/auth/token gives one.'],
  invalid_token: [401, 'The access token is wrong, expired or revoked; get a new one.'],
  insufficient_scope: [
    403,
    'This call needs the scope payments:write; ask for a token that has it.',
  ],
  address_not_allowed: [403, 'This client may not call from 203.0.113.7.'],
  cross_site_request: [
    403,
    'This came from a page of another site; open the link itself, and answer there.',
  ],
  client_exceeds_caller: [
    403,
    'This takes all that the client has or ever had, and you do not have payments:write; use a client that has it, or leave it out.',
  ],
  route_closed: [403, 'Nobody may call this route.'],
  route_not_found: [404, 'There is nothing at this path; /v1/openapi.json lists every route.'],
  account_not_found: [404, 'There is no such account.'],
  audit_entry_not_found: [404, 'There is no such audit entry.'],
  client_not_found: [404, 'There is no such client.'],
  document_not_found: [404, 'There is no such document.'],
  customer_not_found: [404, 'There is no such customer.'],
  catalogue_item_not_found: [404, 'There is no such item.'],
  tax_rate_not_found: [404, 'There is no such tax rate.'],
  period_not_found: [404, 'There is no such month; send one such as 2026-10.'],
  payment_not_found: [404, 'There is no such payment.'],
  refund_not_found: [404, 'There is no such refund.'],
  dispute_not_found: [404, 'There is no such dispute.'],
  message_not_found: [404, 'There is no such message.'],
  gateway_event_not_found: [404, 'There is no such gateway event.'],
  item_not_found: [404, 'There is no such unmatched item.'],
  receipt_not_found: [404, 'There is no such unmatched receipt.'],
  bank_file_mapping_not_found: [404, 'There is no such mapping.'],
  bank_statement_not_found: [404, 'There is no such bank statement.'],
  bank_entry_not_found: [404, 'There is no such bank entry.'],
  payout_not_found: [404, 'There is no such payout.'],
  payment_link_not_found: [404, 'There is no such payment link.'],
  portal_link_not_found: [404, 'This link is not valid any more; ask the sender for a new one.'],
  portal_token_not_found: [404, 'There is no such portal token.'],
  series_not_found: [404, 'There is no such number series; GET /v1/finance/numbering lists them.'],
  gateway_not_found: [404, 'There is no such gateway; this account may use: gateway-a.'],
  sandbox_link_not_found: [404, 'There is no such sandbox pay page.'],
  document_receipt_not_found: [
    404,
    'Nothing is paid on this document yet, so there is no receipt.',
  ],
  logo_not_found: [404, 'The seller has no logo.'],
  method_not_allowed: [405, 'PUT is not possible here; this path takes GET, HEAD.'],
  request_timeout: [408, 'The request took too long to arrive; send it again.'],
  too_many_messages: [
    409,
    'No more than 20 messages of a document leave within 24 hours; try again after 2026-11-27T09:00:00.000Z.',
  ],
  mail_not_configured: [
    409,
    'This installation sends no mail; the operator sets QUITTANCE_SMTP_URL.',
  ],
  document_not_sendable: [409, 'Nothing is due on this document, so nobody is reminded.'],
  reminders_refused: [409, 'accounts@globex.example wants no reminders; send it the document.'],
  message_not_failed: [409, 'Only a message that failed or was canceled is sent again.'],
} satisfies Record<string, ProblemEntry>;
