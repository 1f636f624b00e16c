import { DomainError } from '../../../src/kernel/domain-error.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { ProviderReceiptClaims } from '../../../src/payments/index.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import fc from 'fast-check';
import type { Answer } from '../../support/http.js';
import { type Books, isUnderWay, type Receipt, takesMoney } from '../books.js';
import { ANY_NOBODYS, ANY_RECEIPT } from './gateway.js';
import { assertFields, type Call, refused } from '../judge.js';
import { keep } from './moves.js';
import { goOn, toldIn, withPayouts } from './payout-books.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { book, take } from './payments.js';
import { chosen, fitting, FOREIGN, invoiceOf, receiptOf } from '../picks.js';
import type { World } from '../world.js';

const HOME = { pick, to: pick, toCustomer: fc.boolean() };
const PICKED = { pick };

export function isOpen({ settled, amount }: Receipt): boolean {
  return settled < amount;
}

function isGoingBack({ refunds }: Books, { id }: Receipt): boolean {
  return refunds.some((one) => one.of === id && isUnderWay(one));
}

/**
 * A part of it that came back later is refunded again, or assigned with the rest. A payment that its
 * provider took back whole is still the receipt's: nobody can reverse that by hand.
 */
function hasPayment({ payments }: Books, { id }: Receipt): boolean {
  const own = payments.filter((one) => one.from === 'receipt' && one.provider === id);
  return own.some((one) => !one.reversed || one.takenBack !== null);
}

/** The part of it that its payer disputes. */
export function disputedReceipt({ disputes }: Books, { id }: Receipt): number {
  return disputes
    .filter(({ payment }) => payment === id)
    .reduce((sum, { disputed }) => sum + disputed, 0);
}

/** A home for money that had none. */
async function assign(world: World, books: Books, wish: FieldsOf<typeof HOME>): Promise<Call> {
  const isFit = (one: Receipt) => isOpen(one) && !isGoingBack(books, one);
  const fit = wish.pick % 2 === 0 ? fitting(books.receipts, isFit) : books.receipts;
  const receipt = chosen(fit, wish.pick);
  const customer = books.customers[wish.to % 2] ?? '';
  const document = chosen(books.invoices, wish.to)?.id ?? world.foreign.document;
  const id = receipt ? await world.receiptId(receipt.id) : world.foreign.receipt;
  const body = wish.toCustomer ? { customer_id: customer } : { document_id: document };
  const request = world.request(`unmatched-receipts/${id}/assign`, body);
  if (!receipt) {
    return {
      ...request,
      judge: (_after, answer) => void refused(answer, ['receipt_not_found', 'unknown_document']),
    };
  }
  return {
    ...request,
    judge: (after, answer) => {
      const of = receiptOf(after, receipt.id);
      const open = of.amount - of.settled;
      const { currency } = of;
      const isForeign = !wish.toCustomer && document === world.foreign.document;
      const invoice = wish.toCustomer || isForeign ? null : invoiceOf(after, document);
      const broken = [
        (open === 0 || hasPayment(after, of)) && 'receipt_settled',
        open > 0 && disputedReceipt(after, of) > 0 && 'payment_disputed',
        isGoingBack(after, of) && 'refund_under_way',
        isForeign && 'unknown_document',
        invoice !== null && invoice.currency !== currency && 'currency_mismatch',
        invoice !== null && !takesMoney(invoice) && 'document_not_payable',
      ];
      if (refused(answer, broken)) return;
      const { payment } = answer.body as { payment: { id: string } };
      const given = { id: payment.id, from: 'receipt' as const, provider: of.id };
      const made = invoice
        ? take(after, invoice, open, given)
        : book(after, { customer, currency }, open, [], given);
      of.settled = of.amount;
      assertFields(payment, { amount: open, credited: made.inCredit, currency });
    },
  };
}

/** Well formed, and nobody's. */
const NO_ACCOUNT = 'acc_01h455vb4pex5vsknk084sn02q';

/** The operator knows whose money it is; without HTTP, as the command line does it. */
function claim(world: World, { nobodys }: Books, wish: FieldsOf<typeof PICKED>): Call {
  // Mostly of nobody, else whatever a provider told of.
  const ids = wish.pick % 4 === 0 ? world.told : nobodys.map(({ id }) => id);
  const id = chosen(ids, wish.pick) ?? nobodys[0]?.id ?? 'sbx_nobodys';
  const account = wish.pick === FOREIGN ? NO_ACCOUNT : world.client.accountId;
  return {
    text: `operator: claim of ${id} for ${account}`,
    send: async () =>
      withPayouts(
        world,
        await answerOf(async () =>
          world.service.app
            .get(ProviderReceiptClaims)
            .claim(byOperator(uuidOf('acc', account) ?? ''), world.gatewayOf(id), id),
        ),
      ),
    judge: (after, answer) => {
      const kept = after.nobodys.find((one) => one.id === id);
      const wasPayment = after.payments.some((one) => one.id === id);
      const hasHome = !wasPayment && after.receipts.some((one) => one.id === id);
      const broken = [
        hasHome && 'receipt_settled',
        after.failures.some((one) => one.id === id && one.counts) && 'receipt_settled',
        !hasHome && !kept && 'receipt_not_found',
        account === NO_ACCOUNT && 'account_not_found',
      ];
      if (refused(answer, broken) || !kept) return;
      after.nobodys = after.nobodys.filter((one) => one !== kept);
      keep(after, kept);
    },
    later: [(after, { body }) => goOn(world, after, id, toldIn(body))],
  };
}

/** A call without HTTP, answered as if it had come over it. @throws what is no refusal */
async function answerOf(work: () => Promise<unknown>): Promise<Answer> {
  let [status, body]: [number, Record<string, unknown>] = [200, {}];
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    [status, body] = [409, { code: error.code }];
  }
  const text = JSON.stringify(body);
  return { status, headers: new Headers(), body, text, bytes: Buffer.from(text) };
}

export const HOME_OPERATIONS = [
  operation('assign', { weight: 2, fields: HOME, needs: ANY_RECEIPT, call: assign }),
  operation('claim', { weight: 1, fields: PICKED, needs: ANY_NOBODYS, hasKey: false, call: claim }),
];
