import fc from 'fast-check';
import type { Answer } from '../../support/http.js';
import type { Books } from '../books.js';
import { type Call, Disagreement } from '../judge.js';
import { type FieldsOf, operation } from './operation.js';
import type { World } from '../world.js';

const CHANGE = { kind: fc.nat({ max: 99 }) };

/** The service's own role must not be able to do these, with the account as $1. */
const CHANGES = [
  'UPDATE transfers SET amount = amount + 1 WHERE account_id = $1',
  'DELETE FROM transfers WHERE account_id = $1',
  'UPDATE payments SET amount = amount + 1 WHERE account_id = $1',
  'DELETE FROM payments WHERE account_id = $1',
  'UPDATE allocations SET amount = amount * 2 WHERE account_id = $1',
  'DELETE FROM allocations WHERE account_id = $1',
  'DELETE FROM payment_reversals WHERE account_id = $1',
  'UPDATE customer_credits SET amount = amount * 2 WHERE account_id = $1',
  'DELETE FROM customer_credits WHERE account_id = $1',
  'UPDATE refund_parts SET amount = amount + 1 WHERE account_id = $1',
  'DELETE FROM refunds WHERE account_id = $1',
  'UPDATE unmatched_receipts SET amount = amount + 1 WHERE account_id = $1',
  'DELETE FROM unmatched_receipts WHERE account_id = $1',
  'UPDATE tax_reliefs SET tax = tax + 1 WHERE account_id = $1',
  'DELETE FROM vat_methods WHERE account_id = $1',
];

/** SQL in place of the API, by the role that the service has. */
function tamper(world: World, _books: Books, { kind }: FieldsOf<typeof CHANGE>): Call {
  const sql = CHANGES[kind % CHANGES.length] ?? '';
  return {
    text: sql,
    send: async () => {
      const refusal = await world.refusalOf(sql);
      return answer(refusal === null ? 200 : 403, refusal ?? 'done');
    },
    judge: (_after, { status }) => {
      if (status !== 403) throw new Disagreement('the database let history be changed');
    },
  };
}

function answer(status: number, text: string): Answer {
  return { status, headers: new Headers(), body: {}, text, bytes: Buffer.from(text) };
}

export const TAMPER_OPERATIONS = [
  operation('tamper', { weight: 1, fields: CHANGE, hasKey: false, call: tamper }),
];
