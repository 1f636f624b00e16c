import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { PaymentMethod } from './payment-method.js';

/** Money that came in for a document. Never changed: mistakes are reversed by new facts. */
export interface Payment {
  id: Uuid;
  accountId: Uuid;
  documentId: Uuid;
  /** What came in. */
  amount: Money;
  /** The part that the document took; the rest is the customer's credit. */
  applied: Money;
  method: PaymentMethod;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  /** When it was paid, as told. */
  paidAt: Date;
  /** When we learned of it. */
  recordedAt: Date;
  source:
    | { by: 'client'; clientId: Uuid }
    | { by: 'gateway'; gateway: string; providerPaymentId: string; paymentLinkId: Uuid };
}
