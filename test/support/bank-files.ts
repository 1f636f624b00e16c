import { readFileSync } from 'node:fs';
import type { CsvHints } from '../../src/bank/domain/bank-statement.js';

/** One entry of a file that a test makes. Amounts in major units, as text. */
export interface EntryWish {
  amount: string;
  direction?: 'credit' | 'debit';
  currency?: string;
  on?: string;
  name?: string;
  iban?: string;
  text?: string;
  /** Structured (ISO 11649). */
  reference?: string;
  bankReference?: string;
  isReversal?: boolean;
}

const IBAN = 'DE89370400440532013000';

/** A CSV file that says everything itself. */
export const NO_HINTS: CsvHints = {
  delimiter: null,
  decimal: null,
  dateFormat: null,
  currency: null,
  account: null,
  columns: new Map(),
  ignored: [],
  words: { credit: [], debit: [] },
  balanceRows: null,
  unsigned: null,
};

export function bankFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/bank/${name}`, import.meta.url), 'utf8');
}

/** A camt.053.001.08 with these entries. */
export function aCamt053(entries: readonly EntryWish[], id = 'S-1'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
  <Id>${id}</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>${entries.map(entryXml).join('')}
</Stmt></BkToCstmrStmt></Document>`;
}

/** A CSV file with English headers. */
export function aBankCsv(entries: readonly EntryWish[]): string {
  const rows = entries.map((one) => [
    one.on ?? '2026-11-18',
    `${one.direction === 'debit' ? '-' : ''}${one.amount}`,
    one.currency ?? 'EUR',
    one.name ?? '',
    one.iban ?? '',
    one.text ?? '',
  ]);
  const header = ['Date', 'Amount', 'Currency', 'Payer', 'Payer IBAN', 'Description'];
  return [header, ...rows].map((cells) => cells.join(';')).join('\n');
}

const optional = (text: string | undefined, element: (text: string) => string) =>
  text === undefined ? '' : element(text);

function entryXml(one: EntryWish): string {
  const { direction = 'credit', currency = 'EUR', on = '2026-11-18' } = one;
  const party = direction === 'credit' ? 'Dbtr' : 'Cdtr';
  return `<Ntry>
    <Amt Ccy="${currency}">${one.amount}</Amt>
    <CdtDbtInd>${direction === 'credit' ? 'CRDT' : 'DBIT'}</CdtDbtInd>
    ${one.isReversal ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><Dt>${on}</Dt></BookgDt>
    ${optional(one.bankReference, (text) => `<AcctSvcrRef>${text}</AcctSvcrRef>`)}
    <NtryDtls><TxDtls><RltdPties>
      ${optional(one.name, (text) => `<${party}><Pty><Nm>${text}</Nm></Pty></${party}>`)}
      ${optional(one.iban, (text) => `<${party}Acct><Id><IBAN>${text}</IBAN></Id></${party}Acct>`)}
    </RltdPties><RmtInf>
      ${optional(one.text, (text) => `<Ustrd>${text}</Ustrd>`)}
      ${optional(one.reference, (text) => `<Strd><CdtrRefInf><Ref>${text}</Ref></CdtrRefInf></Strd>`)}
    </RmtInf></TxDtls></NtryDtls></Ntry>`;
}
