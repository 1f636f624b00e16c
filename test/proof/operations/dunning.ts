import fc from 'fast-check';
import { type Books, dayIn } from '../books.js';
import { isWaiting, type Letter } from '../dunned.js';
import { assertFields, type Call, refused } from '../judge.js';
import { chosen, fitting, foreignCall } from '../picks.js';
import type { World } from '../world.js';
import { A_LETTER } from './days.js';
import { type FieldsOf, type Need, operation, pick } from './operation.js';

const PICKED = { pick };
const CHARGES_ON = { isAlone: fc.boolean() };
const NO_LETTER = 'rem_01h455vb4pex5vsknk084sn02q';

const letterOf = ({ letters }: Books, id: string) => letters.find((one) => one.id === id)!;
const isOpen = (one: Letter['charges'][number]) => one.status === 'proposed' || isWaiting(one);

const failed = ({ status }: Letter) => status === 'failed';
const hasOpen = ({ charges }: Letter) => charges.some(isOpen);

/** A letter that nobody got by mail goes by post: so its charges are claimed. */
function markSent(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const id = chosen(fitting(books.letters, failed), wish.pick)?.id;
  const request = world.request(`reminders/${id ?? NO_LETTER}/mark-sent`, {});
  if (id === undefined) return foreignCall(request, 'reminder_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const letter = letterOf(after, id);
      if (refused(answer, [letter.status === 'sent' && 'reminder_not_failed'])) return;
      const claimed = letter.charges.filter(({ status }) => status === 'proposed');
      for (const one of claimed) one.status = 'claimed';
      letter.billsAlone = claimed.length > 0 && after.chargesOn === 'own_document';
      letter.status = 'sent';
      letter.sentOn = dayIn(after);
      assertFields(answer.body, { status: 'sent', charges_amount: amountOf(letter) });
    },
  };
}

/** A person gives up what no invoice has yet. */
function waive(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const id = chosen(fitting(books.letters, hasOpen), wish.pick)?.id;
  const request = world.request(`reminders/${id ?? NO_LETTER}/waive-charges`, {});
  if (id === undefined) return foreignCall(request, 'reminder_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const letter = letterOf(after, id);
      if (refused(answer, [!hasOpen(letter) && 'charges_not_open'])) return;
      for (const one of letter.charges.filter(isOpen)) one.status = 'waived';
      letter.billsAlone = false;
      assertFields(answer.body, { charges_amount: amountOf(letter) });
    },
  };
}

function amountOf({ charges }: Letter): number {
  return charges.reduce((sum, { amount, status }) => sum + (status === 'waived' ? 0 : amount), 0);
}

/** From now on, charges of letters that are sent have an invoice of their own, or wait for the next. */
function chargesOn(world: World, _books: Books, wish: FieldsOf<typeof CHARGES_ON>): Call {
  const on = wish.isAlone ? 'own_document' : 'next_document';
  return {
    ...world.request('dunning-plan', { charges_on: on }, { method: 'patch' }),
    judge: (after, answer) => {
      if (refused(answer, [])) return;
      after.chargesOn = on;
      assertFields(answer.body, { charges_on: on });
    },
  };
}

const A_FAILED: Need = {
  of: (_world, { letters }) => letters.filter(failed),
  first: A_LETTER,
};
const OPEN_CHARGES: Need = {
  of: (_world, { letters }) => letters.filter(hasOpen),
  first: A_LETTER,
};

export const DUNNING_OPERATIONS = [
  operation('chargesOn', { weight: 1, fields: CHARGES_ON, call: chargesOn }),
  operation('markSent', { weight: 4, fields: PICKED, needs: A_FAILED, call: markSent }),
  operation('waiveCharges', { weight: 1, fields: PICKED, needs: OPEN_CHARGES, call: waive }),
];
