/** A document of ours is 119.00 in two-digit currencies: 100.00 and 19 % tax. */
export interface DocumentWish {
  kind?: 'invoice' | 'quote';
  /** A number of equal lines, or the lines themselves. */
  lines?: number | object[];
  /** Minor units of one line. */
  unitAmount?: number;
  /** Percent. */
  taxRate?: string;
  currency?: string;
  /** False: a draft. */
  issue?: boolean;
  /** Further fields of the request, as the API names them; `undefined` leaves one out. */
  [field: string]: unknown;
}

/** The request that `aCustomer` sends: Globex GmbH, or as the fields say. */
export function customerRequest(over: object = {}): Record<string, unknown> {
  return { name: 'Globex GmbH', email: 'accounts@globex.example', country: 'DE', ...over };
}

/** The request that `anInvoice` sends, for tests that send a changed one. */
export function documentRequest(wish: DocumentWish = {}): Record<string, unknown> {
  const { lines = 1, unitAmount = 10_000, taxRate = '19', issue = true, ...fields } = wish;
  const line = { description: 'Consulting', quantity: '1', unit_amount: unitAmount };
  return {
    customer: customerRequest(),
    lines:
      typeof lines === 'number'
        ? Array.from({ length: lines }, () => ({ ...line, tax_rate: taxRate }))
        : lines,
    issue,
    ...fields,
  };
}
