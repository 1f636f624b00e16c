import { readXml } from '../xml-reader.js';
import { CII_PLACES } from './cii-places.js';
import { membersOf, type Said, saidAt } from './said.js';
import { UBL_PLACES } from './ubl-places.js';

export interface Sample {
  syntax: 'ubl' | 'cii';
  isCreditNote: boolean;
  said: Said;
}

/** UNTDID 1001: those of EN 16931 that are credit notes; UBL has a root of its own for them. */
const CREDIT_NOTES = new Set('81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' '));

/** An invoice in UBL or CII as terms of EN 16931, with payment and totals in one form for both. */
export function readSample(xml: string): Sample {
  const root = readXml(xml.replace(/^\uFEFF/, ''), { takesOthers: true });
  const syntax = root.name.startsWith('ubl:') ? 'ubl' : 'cii';
  const said = saidAt(root, syntax === 'ubl' ? UBL_PLACES : CII_PLACES);
  nameTaxTotals(said);
  gatherPayment(said);
  nameSubjects(said);
  leaveHeadings(said);
  const isCreditNote =
    root.name === 'ubl:CreditNote' ||
    (syntax === 'cii' && CREDIT_NOTES.has(said.terms.get('BT-3') ?? ''));
  return { syntax, isCreditNote, said };
}

/** The one in the currency of the invoice is BT-110, the other BT-111. */
function nameTaxTotals(said: Said): void {
  for (const { terms } of membersOf(said, 'tax totals')) {
    const currency = terms.get('currency');
    const isOther = currency !== undefined && currency !== said.terms.get('BT-5');
    const term = isOther && currency === said.terms.get('BT-6') ? 'BT-111' : 'BT-110';
    if (!said.terms.has(term)) said.terms.set(term, terms.get('amount') ?? '');
  }
  said.groups.delete('tax totals');
}

const ACCOUNT_TERMS = new Set(['BT-84', 'BT-85', 'BT-86']);

/** One way to pay, with several accounts: UBL and CII repeat the way for each account. */
function gatherPayment(said: Said): void {
  const accounts: Said[] = [];
  for (const { terms } of membersOf(said, 'BG-16')) {
    const account = new Map([...terms].filter(([term]) => ACCOUNT_TERMS.has(term)));
    if (account.size > 0) accounts.push({ terms: account, groups: new Map() });
    for (const [term, text] of terms) {
      if (!ACCOUNT_TERMS.has(term) && !said.terms.has(term)) said.terms.set(term, text);
    }
  }
  said.groups.delete('BG-16');
  if (accounts.length > 0) said.groups.set('BG-17', accounts);
}

/** UBL has the subject of a note before its text, between two `#`. */
function nameSubjects(said: Said): void {
  for (const { terms } of membersOf(said, 'BG-1')) {
    const [, subject, text] = /^#([A-Z]{3})#([^]*)$/.exec(terms.get('BT-22') ?? '') ?? [];
    if (subject === undefined || text === undefined) continue;
    terms.set('BT-21', subject).set('BT-22', text.trim());
  }
}

/** Lines of the profile EXTENDED that have lines below them, or that only inform, bill nothing. */
const HEADINGS = new Set(['GROUP', 'INFORMATION']);

function leaveHeadings(said: Said): void {
  const lines = membersOf(said, 'BG-25');
  const billing = lines.filter(({ terms }) => !HEADINGS.has(terms.get('kind of line') ?? ''));
  if (billing.length < lines.length) {
    said.groups.set('BG-25', billing);
    said.terms.set('headings', String(lines.length - billing.length));
  }
  for (const { terms } of billing) terms.delete('kind of line');
}
