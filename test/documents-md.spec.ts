import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DocumentAction,
  DOCUMENT_ACTIONS,
  type ActedDocument,
  refusalOf,
} from '../src/documents/domain/available-actions.js';
import { calculate } from '../src/documents/domain/calculation/calculation.js';
import type { DocumentState } from '../src/documents/domain/document-state.js';
import {
  DOCUMENT_KINDS,
  DOCUMENT_STATUSES,
  type DocumentKind,
  type DocumentStatus,
  type Lifecycle,
  NEXT,
} from '../src/documents/domain/lifecycle.js';
import { type CalculationBody, presentCalculation } from '../src/documents/wire/calculation.js';
import type { CreateDocumentRequest } from '../src/documents/wire/document.js';
import { toNewDocument } from '../src/documents/wire/parse-draft.js';
import { Money } from '../src/kernel/money.js';
import { PROBLEMS } from './support/problems.js';

/** The stored forms of a derived status. */
const STORED_AS: Partial<Record<DocumentStatus, Lifecycle[]>> = {
  partially_paid: ['open'],
  paid: ['open', 'uncollectible'],
  expired: ['open'],
  applied: ['open'],
};

/** Whether money and dates alone lead from one to the other: what is stored is the same. */
function isDerived(from: DocumentStatus, to: DocumentStatus): boolean {
  const all = STORED_AS[to] ?? [to as Lifecycle];
  return all.some((lifecycle) => STORED_AS[from]?.includes(lifecycle));
}

/** Each action that ends in a stored status. */
const STEPS: [DocumentAction, Lifecycle][] = [
  ['accept', 'accepted'],
  ['reject', 'rejected'],
  ['convert', 'converted'],
  ['write_off', 'uncollectible'],
  ['reverse_write_off', 'open'],
  ['void', 'void'],
];

/** An open document over 100 that has come to a derived status. */
function aDocument(kind: DocumentKind, status: DocumentStatus): ActedDocument {
  const [zero, part, total] = [0n, 40n, 100n].map((minor) => Money.of(minor, 'EUR')) as Three;
  const amountPaid = status === 'paid' ? total : status === 'partially_paid' ? part : zero;
  const none = { amountRefunded: zero, amountProcessing: zero, creditNotesTotal: zero };
  const state = { kind, lifecycle: 'open', total, amountPaid, ...none };
  const amountPayable = kind === 'credit_note' ? zero : total.minus(amountPaid);
  const amountCreditable = kind === 'invoice' ? total : zero;
  return { state: state as unknown as DocumentState, status, amountPayable, amountCreditable };
}

type Three = [Money, Money, Money];

/** The derived statuses that each kind has. */
const DERIVED: Record<DocumentKind, DocumentStatus[]> = {
  invoice: ['paid', 'partially_paid'],
  quote: ['expired'],
  credit_note: ['applied'],
};

const HEADINGS: Record<DocumentKind, string> = {
  invoice: '### Invoice',
  quote: '### Quote',
  credit_note: '### Credit note',
};

describe('docs/documents.md', () => {
  let page: string;
  let fences: (language: string, heading: string) => string[];

  beforeAll(async () => {
    page = await readFile(new URL('../docs/documents.md', import.meta.url), 'utf8');
    fences = (language, heading) => {
      const [, behind = ''] = page.split(`\n${heading}\n`);
      const [section = ''] = behind.split(/^##+ /m);
      const found = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
      return [...found].map(([, text]) => text ?? '');
    };
  });

  describe.each(DOCUMENT_KINDS)('the diagram of the kind %s', (kind) => {
    const arrows = () => {
      const [diagram = ''] = fences('mermaid', HEADINGS[kind]);
      const lines = diagram.trim().split('\n').slice(1);
      return lines.map((line) => {
        const [, from, to] = /^ {2}(\S+) --> (\S+) : \S.*$/.exec(line) ?? [];
        return [from, to] as [DocumentStatus | '[*]', DocumentStatus | '[*]'];
      });
    };
    const between = () =>
      arrows().filter((ends): ends is [DocumentStatus, DocumentStatus] => !ends.includes('[*]'));

    it('begins with a draft, which alone may be deleted', () => {
      expect(arrows().filter((ends) => ends.includes('[*]'))).toEqual([
        ['[*]', 'draft'],
        ['draft', '[*]'],
      ]);
    });

    it('has exactly the stored steps', () => {
      const stored = between().filter((ends) => ends.every((status) => !STORED_AS[status]));
      const steps = Object.entries(NEXT[kind]).flatMap(([from, all]) =>
        all.map((to) => [from, to]),
      );
      expect(stored.sort()).toEqual(steps.sort());
    });

    it('leaves the derived statuses by what may be done in them, and by nothing else', () => {
      const derived = between().flatMap(([from]) => (STORED_AS[from] ? [from] : []));
      expect([...new Set(derived)].sort()).toEqual(DERIVED[kind]);
      for (const status of DERIVED[kind]) {
        const allowed = STEPS.filter(
          ([action]) => refusalOf(action, aDocument(kind, status)) === null,
        );
        const drawn = between().filter(([from, to]) => from === status && !isDerived(status, to));
        expect([status, drawn.map(([, to]) => to).sort()]).toEqual([
          status,
          allowed.map(([, to]) => to).sort(),
        ]);
      }
    });

    it('has public statuses only', () => {
      const drawn = between().flat();
      expect(drawn.filter((status) => !DOCUMENT_STATUSES.includes(status))).toEqual([]);
    });
  });

  it('names every action, and only refusals that exist', () => {
    const [, behind = ''] = page.split('\n## What may be done now\n');
    const [sentence = ''] = behind.split('. What may not');
    const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.filter((name) => name !== 'available_actions')).toEqual([...DOCUMENT_ACTIONS]);

    const [, steps = ''] = page.split('\n## Steps\n');
    const [table = ''] = steps.split('\n## ');
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
    expect(rows.length).toBeGreaterThan(10);
    const codes = rows.flatMap((row) => [...(row.split(' | ').at(-1) ?? '').matchAll(/`(\w+)`/g)]);
    for (const [, code] of codes) expect(Object.keys(PROBLEMS)).toContain(code);
  });

  describe('the worked calculation', () => {
    let answer: string;
    let calculated: CalculationBody;

    beforeAll(() => {
      const [asked = '', shown = ''] = fences('json', '## A worked calculation');
      answer = shown;
      const request = toNewDocument(JSON.parse(asked) as CreateDocumentRequest);
      const calculation = calculate({ ...request, currency: request.currency ?? '' });
      calculated = presentCalculation(calculation, request, null);
    });

    it('answers with the figures that are shown, down to the total', () => {
      const figures = JSON.parse(answer) as Partial<CalculationBody>;
      expect(calculated).toMatchObject(figures);
      const totals = Object.entries(calculated).filter(([name]) => /total$|^rounding/.test(name));
      expect(figures).toMatchObject(Object.fromEntries(totals));
    });

    it('takes the steps that are shown, all of them and no other', () => {
      const rows = [...page.matchAll(/^\| `(\/[\w/]+)` \| (.+) \| (-?\d+) \|$/gm)];
      const shown = rows.map(([, figure, formula, amount]) => [figure, formula, Number(amount)]);
      expect(shown).toEqual(
        calculated.steps.map(({ figure, formula, amount }) => [figure, formula, amount]),
      );
    });

    it('says the truth about prices that include tax: 353.90 at 19 %', () => {
      const { net_total, tax_total } = presentCalculation(
        calculate({
          currency: 'EUR',
          pricesIncludeTax: true,
          lines: [{ description: 'x', quantity: '1', unitAmountMinor: 35390n, taxRate: '19' }],
          discounts: [],
          charges: [],
          cashRounding: null,
        }),
        { pricesIncludeTax: true, cashRounding: null },
        null,
      );
      expect([net_total, tax_total]).toEqual([29739, 5651]);
      expect(page.replaceAll('\n', ' ')).toContain('353.90 at 19 % is 297.39 + 56.51');
    });
  });
});
