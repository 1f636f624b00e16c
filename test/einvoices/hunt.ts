import { invoiceOf } from './of-view.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import type { EInvoiceProfile } from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { brokenRulesOf } from '../../src/einvoices/domain/rules/judge.js';
import type { SemanticInvoice } from '../../src/einvoices/domain/semantic/semantic-invoice.js';
import { invoiceXml } from '../../src/einvoices/domain/writer.js';
import { Dice } from '../documents/calculation/calculation-documents.js';
import { differences } from './contents.js';
import { heldAgainstFrenchRules } from './french-ubl.js';
import { holed } from './holes.js';
import { marketOf } from './markets.js';
import { heldAgainstRules, type JudgedInvoice } from './official-rules.js';
import { CONTENTS } from './random-details.js';
import { randomInvoice } from './random-invoices.js';
import { wholeInvoice } from './whole-invoice.js';
import { readXml } from './xml-reader.js';

interface Hunt {
  documents: number;
  seed: number;
  profiles: readonly EInvoiceProfile[];
  /** The folder of the official rules. */
  rules: string | null;
  /** The folder of SaxonJS; without it, French rules do not judge UBL. */
  saxonJs: string | null;
}

interface Found {
  wrong: string[];
  /** Rules that complete documents break all the same, by how often. */
  known: Map<string, number>;
  /** How many checks the official rules made. */
  held: number | null;
}

interface Judged extends JudgedInvoice {
  /** Fatal rules by our own table. */
  ours: Set<string>;
}

/** The rules for CII add taxes as floats, which may miss nothing by less than a cent's fraction. */
const FLOATING = 'BR-CO-14';

/**
 * Figures that the law allows and a rule does not: rates that round to zero, the yen's rounding, and
 * IGIC at zero.
 */
const CORNERS = [
  'BR-CO-17',
  'PEPPOL-EN16931-R120',
  'BR-S-09',
  'BR-AF-09',
  'BR-AG-09',
  'BR-AF-05',
  'BR-AF-06',
  'BR-AF-07',
];

const KNOWN = new Set(CORNERS);

/** So many of each profile share one start of Java. */
const BATCH = 500;

/** Half of the documents have holes. */
const isHoled = (index: number) => index % 2 === 1;

export async function hunt({ documents, seed, profiles, ...of }: Hunt): Promise<Found> {
  const found: Found = { wrong: [], known: new Map(), held: of.rules === null ? null : 0 };
  if (of.rules !== null) await judge(of.rules, null, profiles.flatMap(wholeInvoices), found);
  for (let first = 0; first < documents; first += BATCH) {
    const last = Math.min(documents, first + BATCH);
    const invoices = profiles.flatMap((profile) => {
      const judged: Judged[] = [];
      for (let index = first; index < last; index += 1) {
        judged.push(written(seed, index, profile, found));
      }
      return judged;
    });
    if (of.rules !== null) await judge(of.rules, of.saxonJs, invoices, found);
  }
  return found;
}

/** Every term, also those that no document says yet; French rules want more of what they say. */
function wholeInvoices(profile: EInvoiceProfile): Judged[] {
  if (profile.startsWith('france')) return [];
  return (['transfer', 'card', 'debit'] as const).flatMap((way) =>
    (['380', '381'] as const).map((typeCode): Judged => {
      const invoice = wholeInvoice(way, typeCode);
      const xml = invoiceXml(invoice, PROFILES[profile]);
      return { name: `${way}-${typeCode}`, profile, xml, ours: fatalOf(invoice, profile) };
    }),
  );
}

function fatalOf(invoice: SemanticInvoice, profile: EInvoiceProfile): Set<string> {
  const findings = brokenRulesOf(invoice, PROFILES[profile]);
  return new Set(findings.filter(({ severity }) => severity === 'fatal').map(({ rule }) => rule));
}

function written(seed: number, index: number, profile: EInvoiceProfile, found: Found): Judged {
  const market = marketOf(profile);
  const complete = randomInvoice(seed, index, market);
  const view = isHoled(index) ? holed(complete, new Dice(seed, index), market) : complete;
  const invoice = invoiceOf(view, ['3 %', '1.5 %'], CONTENTS);
  const xml = invoiceXml(invoice, PROFILES[profile]);
  const ours = fatalOf(invoice, profile);
  if (!isHoled(index)) {
    const differing = differences(view, readXml(xml), PROFILES[profile]);
    found.wrong.push(...differing.map((one) => `${profile} ${index}: ${one}`));
    for (const id of ours) {
      if (KNOWN.has(id)) found.known.set(id, (found.known.get(id) ?? 0) + 1);
      else found.wrong.push(`${profile} ${index}: is complete, and we say that it breaks ${id}`);
    }
  }
  return { name: String(index), profile, xml, ours };
}

/** The rules that are broken are the same set in our table and in the official one. */
async function judge(
  rules: string,
  saxonJs: string | null,
  invoices: Judged[],
  found: Found,
): Promise<void> {
  const { failed, held } = await heldAgainstRules(rules, invoices);
  const french = invoices.filter(({ profile }) => profile === 'france-ubl');
  if (saxonJs !== null) failed.push(...(await heldAgainstFrenchRules(rules, saxonJs, french)));
  found.held = (found.held ?? 0) + held + (saxonJs === null ? 0 : french.length);
  const theirs = new Map<string, Map<string, string>>();
  for (const { id, severity, invoice, location, sentence } of failed) {
    if (severity === 'warning' || severity === 'information') continue;
    const ids = theirs.get(invoice) ?? new Map<string, string>();
    theirs.set(invoice, ids.set(id, `${location} ${sentence}`));
  }
  for (const { name, profile, ours } of invoices) {
    const file = `${profile}/${name}.xml`;
    const official = theirs.get(file) ?? new Map<string, string>();
    for (const [id, said] of official) {
      // A schema says again what a rule says.
      if (id === 'XSD' && ours.size > 0) continue;
      if (id === FLOATING) found.known.set(id, (found.known.get(id) ?? 0) + 1);
      else if (!ours.has(id))
        found.wrong.push(`${file} breaks ${id}, which we do not say: ${said}`);
    }
    const isJudged = (id: string) =>
      saxonJs !== null || profile !== 'france-ubl' || !id.startsWith('BR-FR');
    const only = [...ours].filter((id) => isJudged(id) && !official.has(id));
    found.wrong.push(...only.map((id) => `${file}: only we say that it breaks ${id}`));
  }
}
