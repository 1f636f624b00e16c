import type { Books } from '../books.js';
import { AN_INVOICE } from './invoices.js';
import { type Call, Disagreement } from '../judge.js';
import { type FieldsOf, operation, pick } from './operation.js';
import type { World } from '../world.js';

const PICKED = { pick };

/** A request that was answered before: the same answer, and nothing changes. */
function again(world: World, _books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const known = world.answered[wish.pick % world.answered.length]!;
  return {
    text: `again ${known.text}`,
    send: known.send,
    judge: (_after, { status, text }) => {
      if (status === known.first.status && text === known.first.text) return;
      throw new Disagreement(
        `expected the first answer ${known.first.text}, got ${status} ${text}`,
      );
    },
  };
}

export const AGAIN_OPERATIONS = [
  operation('again', {
    weight: 1,
    fields: PICKED,
    needs: { of: ({ answered }) => answered, first: AN_INVOICE },
    hasKey: false,
    call: again,
  }),
];
