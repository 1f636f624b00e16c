import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { calculate } from '../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import type { DocumentContent } from '../../src/documents/domain/document-view.js';
import { lineDetailsOf, NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { figuresRequest, requestOf } from '../../src/documents/domain/drafts/draft-request.js';
import { buyerOf, sellerOf } from '../../src/documents/domain/parties/party.js';
import { aState } from './a-document.js';
import { calculated, aLine, aRandomRequest, aRequest } from './requests.js';
import { runsOf } from '../support/share.js';

/** The stored part of a calculation: its figures, and how prices were meant. */
function keptOf(request: CalculationRequest): DocumentContent {
  const { pricesIncludeTax, cashRounding } = request;
  return {
    ...calculate(request),
    seller: sellerOf({ name: 'Acme' }),
    customer: buyerOf({ name: 'Ada' }),
    language: 'de-CH',
    pricesIncludeTax,
    cashRounding,
    purchaseOrder: 'PO-1',
    details: { ...NO_DETAILS, supply_date: '2026-11-19' },
    paymentReference: null,
    notes: 'Thanks',
    metadata: { team: 'red' },
  };
}

describe('the request of what was calculated', () => {
  it('calculates to the same again, and so does the request of that', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const first = keptOf(request);
        const again = figuresRequest(first);
        expect(calculate(again)).toEqual(calculate(request));
        expect(figuresRequest(keptOf(again))).toEqual(again);
      }),
      runsOf(600),
    );
  });

  it('keeps a rounding that was given', () => {
    const aRounding = fc.bigInt({ min: -50n, max: 50n });
    fc.assert(
      fc.property(aRandomRequest, aRounding, (request, roundingMinor) => {
        const given = { ...request, cashRounding: null, roundingMinor };
        const first = calculated(given);
        fc.pre(first !== undefined);
        expect(calculate(figuresRequest(keptOf(given)))).toEqual(first);
        expect(first?.rounding.minor).toBe(roundingMinor);
      }),
      runsOf(200),
    );
  });

  it('finds the coin again, not the rounding, so that an edit rounds anew', () => {
    const request = figuresRequest(keptOf(aRequest({ cashRounding: 5n })));
    expect(request).toMatchObject({ cashRounding: 5n });
    expect(request.roundingMinor).toBeUndefined();
    const edited = { ...request, lines: [aLine({ unitAmountMinor: 103n })] };
    expect(calculate(edited).total.minor).toBe(105n);
  });

  it('has no more and no less than was asked for', () => {
    const request = aRequest({
      currency: 'CHF',
      pricesIncludeTax: true,
      lines: [
        {
          id: '01930000-0000-7000-8000-00000000000a',
          externalId: 'row-1',
          sku: 'H-1',
          metadata: { job: '9' },
          itemId: '01930000-0000-7000-8000-00000000000d',
          taxRateId: '01930000-0000-7000-8000-00000000000c',
          creditedLineId: '01930000-0000-7000-8000-00000000000b',
          description: 'Hours',
          quantity: '2.50',
          unit: 'HUR',
          unitAmountDecimal: '0.0125',
          taxRate: '8.10',
          taxCategory: 'S',
          discounts: [{ percent: '10', reason: 'Loyalty' }],
          charges: [{ amountMinor: 3n }],
        },
        aLine({ taxCategory: 'E', exemptionReason: 'Article 44' }),
      ],
      discounts: [{ amountMinor: 1n, reason: 'Agreed' }],
      charges: [{ percent: '5' }, { amountMinor: 7n, taxRate: '2.6' }],
    });
    expect(figuresRequest(keptOf(request))).toEqual({
      ...request,
      roundingMinor: 0n,
      lines: [
        { ...request.lines[0], quantity: '2.5', taxRate: '8.1', details: lineDetailsOf(null) },
        {
          details: lineDetailsOf(null),
          id: null,
          externalId: null,
          sku: null,
          metadata: {},
          itemId: null,
          taxRateId: null,
          creditedLineId: null,
          description: 'Consulting',
          quantity: '1',
          unit: 'C62',
          unitAmountDecimal: '100',
          taxRate: '0',
          taxCategory: 'E',
          exemptionReason: 'Article 44',
          discounts: [],
          charges: [],
        },
      ],
      charges: [{ percent: '5' }, { amountMinor: 7n, taxRate: '2.6', taxCategory: 'S' }],
    });
  });
});

describe('the request of a document', () => {
  it('asks for the same document', () => {
    const state = aState({
      kind: 'quote',
      proforma: true,
      currency: 'EUR',
      customerId: 'someone',
      issueDate: '2026-11-01',
      dueDate: '2026-12-01',
      paymentTermsDays: 30,
      collectionMethod: 'send_invoice',
      externalId: 'crm-7',
      series: 'special',
    });
    const content = keptOf(aRequest({ cashRounding: 5n, pricesIncludeTax: true }));
    const { currency: _, ...figures } = figuresRequest(content);
    expect(requestOf(state, content)).toEqual({
      ...figures,
      cashDiscounts: [],
      kind: 'quote',
      proforma: true,
      currency: 'EUR',
      customerId: 'someone',
      issueDate: '2026-11-01',
      dueDate: '2026-12-01',
      paymentTermsDays: 30,
      collectionMethod: 'send_invoice',
      purchaseOrder: 'PO-1',
      details: { ...NO_DETAILS, supply_date: '2026-11-19' },
      notes: 'Thanks',
      language: 'de-CH',
      metadata: { team: 'red' },
      externalId: 'crm-7',
      series: 'special',
    });
  });

  it('has the rounding that was asked for, and not one to a coin', () => {
    const given = keptOf(aRequest({ roundingMinor: 2n }));
    expect(requestOf(aState(), given)).toHaveProperty('roundingMinor', 2n);
    const toCoin = keptOf(aRequest({ cashRounding: 5n }));
    expect(requestOf(aState(), toCoin)).not.toHaveProperty('roundingMinor');
  });
});
