import { expect } from 'vitest';
import type {
  DocumentBody,
  DocumentWarningBody,
} from '../../../src/documents/wire/document-body.js';
import type { HistoryBody } from '../../../src/documents/wire/history.js';
import { TransferSumming } from '../../../src/books/index.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import type { TestService } from '../../support/service.js';

export const DOCUMENTS = '/v1/finance/documents';

export const pathOf = ({ id }: { id: string }, step = '') =>
  `${DOCUMENTS}/${id}${step && `/${step}`}`;

/** The body of an answer that must have this status. */
export function good<Body>(answer: Answer<Body>, status: number): Body {
  if (answer.status === status) return answer.body;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}

/** The document that a step made. */
export async function made(
  client: TestClient,
  of: { id: string },
  step: 'revise' | 'convert' | 'duplicate' | 'credit-notes',
  body: object = {},
): Promise<DocumentBody> {
  return good(await client.post<DocumentBody>(pathOf(of, step), body), 201);
}

/** The document after a PATCH, or after a step of its own. */
export async function patched(client: TestClient, of: { id: string }, body: object) {
  return good(await client.patch<DocumentBody>(pathOf(of), body), 200);
}

export async function historyOf(client: TestClient, of: { id: string }) {
  return good(await client.get<HistoryBody>(pathOf(of, 'history')), 200).data as {
    type: string;
    sequence: number;
    actor: { type: string; id: string | null } | null;
    from: string | null;
    to: string | null;
    version: number | null;
    changes: { field: string; from: string | null; to: string | null }[];
    warnings: DocumentWarningBody[];
  }[];
}

/** The customer's credit in euros, in minor units. */
export async function creditOf(client: TestClient, customerId: string): Promise<number> {
  const path = `/v1/finance/customers/${customerId}/credit`;
  const { data } = good(
    await client.get<{ data: { currency: string; amount: number }[] }>(path),
    200,
  );
  return data.find(({ currency }) => currency === 'EUR')?.amount ?? 0;
}

/** Every figure that is stored twice agrees. */
export async function expectBooksToAgree(service: TestService): Promise<void> {
  // Sums of all that was told are compared, too.
  await service.app.get(TransferSumming).sum();
  const { differences } = await service.app.get(IntegrityQuery).differences();
  expect(differences).toEqual([]);
}

/** The service is closed also where its books do not agree. */
export async function closeWithBooks(service: TestService): Promise<void> {
  try {
    await expectBooksToAgree(service);
  } finally {
    await service.close();
  }
}

export const key = (text: string) => ({ 'Idempotency-Key': text });
export const ifMatch = (tag: string) => ({ 'If-Match': tag });

/** On these, an invoice is due and a quote valid to the end of the last day of November. */
export const EXPIRES = { issue_date: '2026-11-20', due_date: '2026-11-30' };

/** The client's answer to a document through the portal. */
export async function answered(
  service: TestService,
  client: TestClient,
  of: { id: string },
  answer: 'accept' | 'reject',
): Promise<Answer> {
  const token = await client.aPortalToken(of);
  const body = answer === 'reject' ? { reason: 'Too dear' } : undefined;
  return service.call(`/v1/portal/${token}/${answer}`, { method: 'POST', body });
}

/** By tax rate: what the invoice still taxes once its credit notes are taken off. */
export function taxLeft(invoice: DocumentBody, ...notes: DocumentBody[]) {
  return Object.fromEntries(
    invoice.tax_groups.map((group) => {
      const same = notes.flatMap((note) =>
        note.tax_groups.filter(
          ({ tax_rate, tax_category }) =>
            tax_rate === group.tax_rate && tax_category === group.tax_category,
        ),
      );
      const less = (of: 'taxable_amount' | 'tax_amount') =>
        group[of] - same.reduce((sum, one) => sum + one[of], 0);
      return [group.tax_rate, [less('taxable_amount'), less('tax_amount')]];
    }),
  );
}
