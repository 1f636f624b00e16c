import fc from 'fast-check';
import type { Answer } from '../../support/http.js';
import { APPEND_ONLY } from '../append-only.js';
import type { Books } from '../books.js';
import { type Call, Disagreement } from '../judge.js';
import { type FieldsOf, operation } from './operation.js';
import type { World } from '../world.js';

/** The service's own role must not be able to do these, with the account as $1. */
const CHANGES = [
  'DELETE FROM refunds WHERE account_id = $1',
  ...APPEND_ONLY.flatMap(({ table, column }) => {
    const mine = column === 'account_id' ? 'account_id = $1' : '$1::uuid IS NOT NULL';
    return [
      `UPDATE ${table} SET ${column} = ${column} WHERE ${mine}`,
      `DELETE FROM ${table} WHERE ${mine}`,
    ];
  }),
];

const CHANGE = { change: fc.constantFrom(...CHANGES) };

/** SQL in place of the API, by the role that the service has. */
function tamper(world: World, _books: Books, { change: sql }: FieldsOf<typeof CHANGE>): Call {
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

export const TAMPER_OPERATIONS = [operation('tamper', { weight: 1, fields: CHANGE, call: tamper })];
