import { tidyBankAccount, tidyIban, tidyText } from '../../kernel/tidy-text.js';
import {
  type BankStatementSection,
  malformedStatement,
  type ParsedBankStatement,
} from './bank-statement.js';
import { balanceOf, entryOf, type Mt940Field, type ReadEntry } from './mt940-fields.js';

const TAG = /^:([0-9A-Z]{2,3}):(.*)$/;
const KNOWN = /^(?:13D?|20|21|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD])$/;

/**
 * Reads MT940 (SWIFT, Customer Statement Message), several messages of one file. All that it has
 * is booked, but for what is expected (`EC`, `ED`).
 */
export function readMt940(text: string): ParsedBankStatement {
  const sections: BankStatementSection[] = [];
  const unused = new Set<string>();
  let pending = 0;
  for (const message of messagesIn(fieldsIn(text))) {
    const read = sectionOf(message);
    sections.push(read.section);
    pending += read.pending;
    for (const name of read.unused) unused.add(name);
  }
  if (sections.length > 0) {
    return { format: 'mt940', sections, pending, rejected: 0, unused: [...unused] };
  }
  throw malformedStatement('The file has no statement in it: no field :25: of MT940 was found.');
}

function fieldsIn(text: string): Mt940Field[] {
  const fields: Mt940Field[] = [];
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    // The text block of a message as SWIFT sends it.
    const start = whole.indexOf('{4:');
    const line = start < 0 ? whole : whole.slice(start + 3);
    if (line === '-' || line.startsWith('-}') || line.trim() === '') continue;
    const [, tag = '', rest = ''] = TAG.exec(line) ?? [];
    const last = fields.at(-1);
    // A line of text may begin as `:00:00`.
    const isField = KNOWN.test(tag) || (tag !== '' && last?.tag !== '86');
    if (isField) fields.push({ tag, lines: [rest], line: index + 1 });
    else last?.lines.push(line);
  }
  return fields;
}

/** A message begins with its field 20. */
function messagesIn(fields: readonly Mt940Field[]): Mt940Field[][] {
  const messages: Mt940Field[][] = [];
  for (const field of fields) {
    const last = messages.at(-1);
    if (field.tag === '20' || !last) messages.push([field]);
    else last.push(field);
  }
  return messages.filter((message) => {
    if (message.some(({ tag }) => tag.startsWith('25'))) return true;
    const entry = message.find(({ tag }) => tag === '61');
    if (!entry) return false;
    throw malformedStatement(`Line ${entry.line}: this entry is of no account (:25:).`);
  });
}

function sectionOf(message: readonly Mt940Field[]) {
  const textOf = (...tags: string[]) => message.find(({ tag }) => tags.includes(tag));
  const opening = balanceOf(textOf('60F', '60M'));
  if (!opening) throw withoutBalance(message);
  const { currency } = opening.amount;
  const account = (textOf('25', '25P')?.lines[0] ?? '').trim();
  const entries = message.flatMap((field, index): ReadEntry[] =>
    field.tag === '61' ? [entryOf(field, detailsBelow(message, index), currency)] : [],
  );
  const section = {
    reference: tidyText(textOf('28C', '28')?.lines[0]),
    // `DE89370400440532013000EUR` of some banks, and `37040044/532013000` of others.
    account: tidyIban(account.replace(/[A-Z]{3}$/, '')) ?? tidyBankAccount(account),
    currency,
    opening,
    closing: balanceOf(textOf('62F', '62M')),
    entries: entries.flatMap(({ entry }) => entry ?? []),
  };
  const strange = message.filter(({ tag }) => !KNOWN.test(tag)).map(({ tag }) => `:${tag}:`);
  return {
    section,
    pending: entries.filter(({ entry }) => entry === null).length,
    unused: [...strange, ...entries.flatMap(({ unused }) => unused)],
  };
}

/** Some banks give an entry several fields 86, one for each line of its text. */
function detailsBelow(message: readonly Mt940Field[], index: number): string[][] {
  const details: string[][] = [];
  for (let at = index + 1; message[at]?.tag === '86'; at += 1) {
    details.push(message[at]?.lines ?? []);
  }
  return details;
}

function withoutBalance(message: readonly Mt940Field[]): Error {
  const isInterim = message.some(({ tag }) => ['13D', '34F', '90C', '90D'].includes(tag));
  return malformedStatement(
    isInterim
      ? 'The file is MT942, whose entries of the day may still change; export MT940 or camt.053.'
      : 'A statement has no opening balance (:60F:).',
  );
}
