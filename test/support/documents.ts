import { randomUUID } from 'node:crypto';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import type { TestClient } from './client.js';

export async function aCreditNote(
  client: TestClient,
  invoice: { id: string },
  body: object = {},
): Promise<DocumentBody> {
  const path = `/v1/finance/documents/${invoice.id}/credit-notes`;
  const { status, text, body: made } = await client.post<DocumentBody>(path, body);
  if (status !== 201) throw new Error(text);
  return made;
}

/** An invoice of everything: discounts and charges of a line and of the whole, two tax groups. */
export const aRichInvoice = async (client: TestClient): Promise<DocumentBody> =>
  client.anInvoice({
    external_id: `shop-${randomUUID()}`,
    discounts: [{ percent: '10', reason: 'Loyalty' }],
    charges: [{ amount: 500, tax_rate: '19', reason: 'Freight' }],
    lines: [
      {
        description: 'Work',
        unit_amount: 10_000,
        tax_rate: '19',
        discounts: [{ amount: 100 }],
        charges: [{ amount: 50 }],
      },
      { description: 'Book', unit_amount: 1999, tax_rate: '7' },
    ],
  });
