import { describe, expect, it } from 'vitest';
import {
  type DocumentAction,
  DOCUMENT_ACTIONS,
} from '../../src/documents/domain/available-actions.js';
import type { Document } from '../../src/documents/domain/document.js';
import type { DocumentState } from '../../src/documents/domain/document-state.js';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type Lifecycle,
  NEXT,
} from '../../src/documents/domain/lifecycle.js';
import { aDocument, CREDIT_NOTE_ID, EARLIER, eur, refusedBy, STEPS } from './a-document.js';

const LIFECYCLES: Lifecycle[] = [
  'draft',
  'open',
  'accepted',
  'rejected',
  'converted',
  'uncollectible',
  'void',
];

/** Every legal step; whatever is not here is illegal. */
const LEGAL = new Set([
  'invoice: draft to open',
  'invoice: open to rejected',
  'invoice: open to uncollectible',
  'invoice: open to void',
  'invoice: rejected to void',
  'invoice: uncollectible to open',
  'invoice: uncollectible to void',
  'quote: draft to open',
  'quote: open to accepted',
  'quote: open to rejected',
  'quote: open to converted',
  'quote: open to void',
  'quote: accepted to converted',
  'quote: accepted to void',
  'quote: rejected to void',
  'quote: converted to open',
  'quote: converted to accepted',
  'credit_note: draft to open',
  'credit_note: open to void',
]);

const CELLS = DOCUMENT_KINDS.flatMap((kind) =>
  LIFECYCLES.flatMap((from) => LIFECYCLES.map((to) => ({ kind, from, to }))),
);

describe('the lifecycle of documents', () => {
  it('knows these states and no other', () => {
    for (const kind of DOCUMENT_KINDS) {
      expect(Object.keys(NEXT[kind]).sort()).toEqual(LIFECYCLES.toSorted());
    }
    expect(CELLS).toHaveLength(147);
  });

  it.each(CELLS)('$kind: $from to $to', ({ kind, from, to }) => {
    expect(NEXT[kind][from].includes(to)).toBe(LEGAL.has(`${kind}: ${from} to ${to}`));
  });
});

const CODES: Record<DocumentAction, string> = {
  edit: 'document_not_draft',
  delete: 'document_not_draft',
  issue: 'document_not_draft',
  accept: 'document_not_acceptable',
  reject: 'document_not_rejectable',
  pay: 'document_not_payable',
  credit: 'document_not_creditable',
  write_off: 'nothing_to_write_off',
  reverse_write_off: 'document_not_written_off',
  claim_tax_relief: 'no_tax_to_relieve',
  void: 'document_not_voidable',
  convert: 'document_not_convertible',
  revise: 'document_not_revisable',
  duplicate: 'document_not_duplicable',
};

/**
 * The steps allowed in each situation, each with the status that it leads to if that is another
 * one. Every step that is missing here is refused. `=`: the same was said before, and nothing
 * happens.
 */
const MATRIX: Record<string, string> = {
  'invoice: draft': 'edit delete issue>open duplicate',
  'invoice: open':
    'reject>rejected pay>partially_paid credit write_off>uncollectible void>void revise duplicate',
  'invoice: open, lapsed':
    'reject>rejected pay>partially_paid credit write_off>uncollectible void>void revise duplicate',
  'invoice: free': 'pay void>void duplicate',
  'invoice: part paid': 'pay credit write_off>uncollectible duplicate',
  'invoice: part paid, lapsed': 'pay credit write_off>uncollectible duplicate',
  'invoice: paid': 'pay credit duplicate',
  'invoice: part credited': 'pay>partially_paid credit write_off>uncollectible duplicate',
  'invoice: credited': 'pay duplicate',
  'invoice: part paid, part credited': 'pay credit write_off>uncollectible duplicate',
  'invoice: settled by both': 'pay credit duplicate',
  'invoice: paid, then part credited': 'pay credit duplicate',
  'invoice: paid, then credited': 'pay duplicate',
  'invoice: rejected': 'void>void revise duplicate',
  'invoice: rejected, lapsed': 'void>void revise duplicate',
  'invoice: uncollectible': 'pay credit reverse_write_off>open void>void duplicate',
  'invoice: uncollectible, part paid': 'pay credit reverse_write_off>partially_paid duplicate',
  'invoice: uncollectible, part credited': 'pay credit reverse_write_off>open duplicate',
  'invoice: uncollectible, all but a bit paid':
    'pay>paid credit>paid reverse_write_off>partially_paid duplicate',
  'invoice: uncollectible, paid': 'pay credit duplicate',
  'invoice: uncollectible, taxed':
    'pay credit reverse_write_off>open claim_tax_relief void>void duplicate',
  'invoice: uncollectible, taxed, relieved':
    'pay credit reverse_write_off>open void>void duplicate',
  'invoice: let pass': 'pay credit claim_tax_relief duplicate',
  'invoice: void': 'duplicate',
  'quote: draft': 'edit delete issue>open duplicate',
  'quote: open': 'accept>accepted reject>rejected void>void convert>converted revise duplicate',
  'quote: free': 'accept>accepted reject>rejected void>void convert>converted revise duplicate',
  'quote: open, lapsed': 'void>void revise duplicate',
  'quote: accepted': 'accept= void>void convert>converted duplicate',
  'quote: accepted, lapsed': 'accept= void>void convert>converted duplicate',
  'quote: rejected': 'void>void revise duplicate',
  'quote: rejected, lapsed': 'void>void revise duplicate',
  'quote: rejected for the same reason': 'reject= void>void revise duplicate',
  'quote: converted': 'duplicate',
  'quote: converted, accepted before': 'duplicate',
  'quote: void': 'duplicate',
  'credit_note: draft': 'edit delete issue>open',
  'credit_note: open': 'void>void',
  'credit_note: open, lapsed': 'void>void',
  'credit_note: applied in part': 'void>void',
  'credit_note: applied': 'void>void',
  'credit_note: void': '',
};

/** Of 100.00: what is paid, credited, and credited beyond what was due. */
function money(paid: bigint, credited = 0n, beyond = 0n): Partial<DocumentState> {
  return {
    amountPaid: eur(paid),
    amountCredited: eur(credited),
    creditNotesTotal: eur(credited + beyond),
    settledAt: paid + credited === 10_000n ? EARLIER : null,
  };
}

const TAXED = { netTotal: eur(8403n), taxTotal: eur(1597n) };
const LAPSED = { lapsesAt: EARLIER };

/**
 * The parts of a situation: the words of its name before the comma are a lifecycle, or one of
 * these.
 */
const SITUATIONS: Record<string, Partial<DocumentState>> = {
  'open, lapsed': LAPSED,
  'part paid': money(2500n),
  'part paid, lapsed': { ...money(2500n), ...LAPSED },
  paid: money(10_000n),
  'part credited': money(0n, 2500n),
  credited: money(0n, 10_000n),
  'part paid, part credited': money(2500n, 2500n),
  'settled by both': money(2500n, 7500n),
  'paid, then part credited': money(10_000n, 0n, 2500n),
  'paid, then credited': money(10_000n, 0n, 10_000n),
  'accepted, lapsed': { lifecycle: 'accepted', ...LAPSED },
  'rejected, lapsed': { lifecycle: 'rejected', ...LAPSED },
  'rejected for the same reason': {
    lifecycle: 'rejected',
    rejection: { reason: 'Too late', at: EARLIER, version: 6 },
  },
  'converted, accepted before': { lifecycle: 'converted', acceptedAt: EARLIER },
  'uncollectible, part paid': { lifecycle: 'uncollectible', ...money(2500n) },
  'uncollectible, part credited': { lifecycle: 'uncollectible', ...money(0n, 2500n) },
  'uncollectible, all but a bit paid': { lifecycle: 'uncollectible', ...money(9950n) },
  'uncollectible, paid': { lifecycle: 'uncollectible', ...money(10_000n), ...LAPSED },
  'uncollectible, taxed': { lifecycle: 'uncollectible', ...TAXED },
  'uncollectible, taxed, relieved': { lifecycle: 'uncollectible', ...TAXED, taxRelief: [] },
  'let pass': { ...TAXED, ...money(9950n), amountWaived: eur(50n), settledAt: EARLIER },
  'applied in part': { amountApplied: eur(2500n) },
  applied: { amountApplied: eur(10_000n) },
};

function inSituation(kind: DocumentKind, name: string): Document {
  if (name === 'free') {
    return aDocument({ kind, total: eur(0n), settledAt: kind === 'invoice' ? EARLIER : null });
  }
  return aDocument({ kind, ...(SITUATIONS[name] ?? { lifecycle: name as Lifecycle }) });
}

describe.each(Object.entries(MATRIX))('%s', (row, outcomes) => {
  const [kind, situation] = row.split(': ') as [DocumentKind, string];
  const taken = new Map(
    outcomes
      .split(' ')
      .map((cell) => /^(\w+)(=?)>?(\w*)$/.exec(cell) ?? [])
      .map(([, action = '', said = '', to = '']) => [action, { said: said === '=', to }]),
  );

  it.each(DOCUMENT_ACTIONS)('%s', (action) => {
    const document = inSituation(kind, situation);
    const [before, status] = [{ ...document.state }, document.status];
    const refusal = document.refusalOf(action);
    const thrown = refusedBy(() => STEPS[action](document));
    const outcome = taken.get(action);
    const facts = document.takeFacts();
    if (outcome && !outcome.said) {
      expect([refusal, thrown]).toEqual([null, null]);
      expect(document.status).toBe(outcome.to || status);
      const moved = document.state.lifecycle !== before.lifecycle;
      expect(document.hasMoved).toBe(moved);
      if (moved) expect(NEXT[kind][before.lifecycle]).toContain(document.state.lifecycle);
      const isQuestion = action === 'revise' || action === 'duplicate';
      expect(facts.map(({ from, to }) => [from, to])).toEqual(
        isQuestion ? [] : facts.map(() => [status, document.status]),
      );
      expect(facts.length > 0).toBe(!isQuestion);
      const changes = isQuestion || action === 'delete' ? 0 : 1;
      expect(document.state.version).toBe(before.version + changes);
      return;
    }
    expect(refusal?.refusal.code).toBe(CODES[action]);
    expect(document.state).toEqual(before);
    expect([facts, document.hasMoved, document.status]).toEqual([[], false, status]);
    expect(thrown && { ...thrown, stack: null }).toEqual(
      outcome?.said
        ? null
        : expect.objectContaining({
            kind: 'conflict',
            code: CODES[action],
            context: { document_status: status },
          }),
    );
  });
});

describe('what is undone', () => {
  it.each<[string, Partial<DocumentState>, string]>([
    ['open', {}, 'open'],
    ['open, and lapsed meanwhile', LAPSED, 'expired'],
    ['accepted', { acceptedAt: EARLIER }, 'accepted'],
    ['accepted, and lapsed meanwhile', { acceptedAt: EARLIER, ...LAPSED }, 'accepted'],
  ])('leads a converted quote back to %s', (_, over, status) => {
    const quote = aDocument({ kind: 'quote', lifecycle: 'converted', ...over });
    quote.unconvert();
    expect([quote.status, quote.state.convertedAt, quote.hasMoved]).toEqual([status, null, true]);
    expect(quote.takeFacts()).toMatchObject([
      { type: 'document.conversion_undone', from: 'converted', to: status },
    ]);
    expect(quote.state.acceptedAt).toBe(over.acceptedAt ?? null);
  });

  it.each(
    DOCUMENT_KINDS.flatMap((kind) => LIFECYCLES.map((lifecycle) => ({ kind, lifecycle }))).filter(
      ({ kind, lifecycle }) => kind !== 'quote' || lifecycle !== 'converted',
    ),
  )('is no conversion of a $kind that is $lifecycle: a bug of ours', ({ kind, lifecycle }) => {
    expect(() => aDocument({ kind, lifecycle }).unconvert()).toThrow('assertion');
  });

  it.each([
    ['part credited', 2500n, 2500n, 'open'],
    ['credited', 10_000n, 10_000n, 'open'],
    ['part paid, part credited', 2500n, 2500n, 'partially_paid'],
    ['settled by both', 7500n, 7500n, 'partially_paid'],
    ['paid, then part credited', 2500n, 0n, 'paid'],
    ['uncollectible, part credited', 2500n, 2500n, 'uncollectible'],
  ])(
    'of an invoice that is %s: a credit note of %s that took %s',
    (name, total, applied, status) => {
      const invoice = inSituation('invoice', name);
      const [before, due] = [{ ...invoice.state }, invoice.amountPayable];
      invoice.uncredit(eur(total), eur(applied), CREDIT_NOTE_ID);
      expect(invoice.status).toBe(status);
      expect(invoice.amountPayable).toEqual(due.plus(eur(applied)));
      expect(invoice.amountCreditable.plus(invoice.state.creditNotesTotal)).toEqual(before.total);
      expect(invoice.state).toMatchObject({
        amountCredited: before.amountCredited.minus(eur(applied)),
        creditNotesTotal: before.creditNotesTotal.minus(eur(total)),
        settledAt: status === 'paid' ? EARLIER : null,
        version: before.version + 1,
      });
      expect(invoice.takeFacts()).toMatchObject([
        { type: 'document.credit_reversed', to: status, version: before.version + 1 },
      ]);
    },
  );

  it('is never more than was credited', () => {
    const invoice = inSituation('invoice', 'part credited');
    expect(() => invoice.uncredit(eur(2501n), eur(2501n), CREDIT_NOTE_ID)).toThrow('assertion');
    const beyond = inSituation('invoice', 'paid, then part credited');
    expect(() => beyond.uncredit(eur(2501n), eur(0n), CREDIT_NOTE_ID)).toThrow('assertion');
  });
});
