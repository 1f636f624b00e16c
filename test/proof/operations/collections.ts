import { type Books, due, type Invoice, onItsWay, takesMoney } from '../books.js';
import { undecided } from '../dunned.js';
import { assertFields, type Call, refused } from '../judge.js';
import { chosen, fitting, foreignCall, invoiceOf } from '../picks.js';
import { SANDBOX } from '../provider.js';
import type { World } from '../world.js';
import { ANY_INVOICE } from './invoices.js';
import { type FieldsOf, operation, pick } from './operation.js';

const COLLECTION = { pick };

const asks = (one: Invoice) => takesMoney(one) && due(one) > 0;

/** A debit of all that is asked for: a link, of whose money the provider tells as of any other. */
async function collect(
  world: World,
  books: Books,
  wish: FieldsOf<typeof COLLECTION>,
): Promise<Call> {
  const invoice = chosen(fitting(books.invoices, asks), wish.pick);
  const id = invoice?.id ?? world.foreign.document;
  const request = world.request(`documents/${id}/collect`, {});
  if (!invoice) return foreignCall(request, 'document_not_found');
  const { currency, customer } = invoice;
  await world.mandateOf(customer, currency);
  return {
    ...request,
    judge: (after, answer) => {
      const of = invoiceOf(after, id);
      const amount = due(of) - undecided(after, id);
      const broken = [
        (!takesMoney(of) || amount <= 0) && 'document_not_payable',
        isCollected(after, id) && 'collection_under_way',
        onItsWay(after, id) > 0 && 'payment_processing',
      ];
      if (refused(answer, broken)) return;
      assertFields(answer.body, { amount });
      const link = String(answer.body['id']);
      const opened = { invoice: id, amount, status: 'open' as const, isCollection: true };
      after.links[link] ??= { ...opened, processingAt: 0, paidAt: 0, failedAt: 0 };
      if (world.links.some((one) => one.id === link)) return;
      world.links.push({ id: link, invoice: id, amount, currency, gateway: SANDBOX });
    },
    // The provider has it then; others may have paid in between.
    later: [
      (after, { body, status }) => {
        if (status >= 400) return;
        assertFields(body, { status: after.links[String(body['id'])]?.status });
      },
    ],
  };
}

/** A debit that is canceled is under way until its provider has been asked about it. */
function isCollected({ links }: Books, invoice: string): boolean {
  return Object.values(links).some(
    (one) =>
      one.isCollection &&
      one.invoice === invoice &&
      ['open', 'processing', 'canceled'].includes(one.status),
  );
}

export const COLLECTION_OPERATIONS = [
  operation('collect', {
    weight: 2,
    fields: COLLECTION,
    needs: ANY_INVOICE,
    // Between its transactions its provider is asked: a copy sees that it is under way.
    hasKey: false,
    transactions: 2,
    call: collect,
  }),
];
