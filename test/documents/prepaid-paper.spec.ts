import { expect, it } from 'vitest';
import { printed } from '../../src/documents/domain/printing/printed-document.js';
import { eur } from './a-document.js';
import { aView } from './document-views.js';

it('paper says what came in before the issue, and asks for the rest', () => {
  const cashDiscounts = [{ percent: '2', days: 7, lapsesAt: new Date('2026-11-28T00:00:00Z') }];
  const { prepaid, terms } = printed(
    aView({ state: { amountPrepaid: eur(5000n), cashDiscounts }, content: { language: 'en' } }),
  );
  expect(prepaid).toEqual([
    { name: 'Paid', detail: null, reason: null, amount: '€50.00' },
    { name: 'Amount due', detail: null, reason: null, amount: '€69.00', isResult: true },
  ]);
  expect(terms).toEqual(['2% cash discount if paid by 27 November 2026: €66.62']);
  expect(printed(aView()).prepaid).toEqual([]);
});
