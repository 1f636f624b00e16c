/** Of `refunds r`: its money is back, or never went. */
export const IS_UNDONE = `EXISTS (SELECT FROM refund_undoings w
  WHERE (w.account_id, w.refund_id) = (r.account_id, r.refund_id))`;
