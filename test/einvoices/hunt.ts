import { semanticInvoice } from '../../src/einvoices/domain/document-invoice.js';
import { type ProfileId, PROFILES } from '../../src/einvoices/domain/profile.js';
import { invoiceXml } from '../../src/einvoices/domain/writer.js';
import { differences } from './contents.js';
import { marketOf } from './markets.js';
import { heldAgainstRules, type JudgedInvoice } from './official-rules.js';
import { randomInvoice } from './random-invoices.js';
import { readXml } from './xml-reader.js';

interface Hunt {
  documents: number;
  seed: number;
  profiles: readonly ProfileId[];
  /** The folder of the official rules. */
  rules: string | null;
}

interface Found {
  wrong: string[];
  /** How many checks the official rules made. */
  held: number | null;
}

/** So many of each profile share one start of Java. */
const BATCH = 500;

export async function hunt({ documents, seed, profiles, rules }: Hunt): Promise<Found> {
  const found: Found = { wrong: [], held: rules === null ? null : 0 };
  for (let first = 0; first < documents; first += BATCH) {
    const last = Math.min(documents, first + BATCH);
    const invoices = profiles.flatMap((profile) => {
      const judged: JudgedInvoice[] = [];
      for (let index = first; index < last; index += 1) {
        const view = randomInvoice(seed, index, marketOf(profile));
        const xml = invoiceXml(
          semanticInvoice(view, { cashDiscounts: ['3 %', '1.5 %'] }),
          PROFILES[profile],
        );
        const differing = differences(view, readXml(xml), PROFILES[profile]);
        found.wrong.push(...differing.map((one) => `${profile} ${index}: ${one}`));
        judged.push({ name: String(index), profile, xml });
      }
      return judged;
    });
    if (rules !== null) await judge(rules, invoices, found);
  }
  return found;
}

async function judge(rules: string, invoices: JudgedInvoice[], found: Found): Promise<void> {
  const { failed, held } = await heldAgainstRules(rules, invoices);
  found.held = (found.held ?? 0) + held;
  for (const { id, severity, invoice, location, sentence } of failed) {
    if (severity === 'warning' || severity === 'information') continue;
    found.wrong.push(`${invoice} ${id} ${location} ${sentence}`);
  }
}
