import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type BankStatementFile,
  BankStatements,
  CSV_BALANCE_ROWS,
  CSV_COLUMNS,
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  DIRECTIONS,
  MOST_BANK_ENTRIES,
  wordsListed,
} from '../bank/index.js';
import { accountIn } from './client-commands.js';
import type { CommandContext, Json } from './command-context.js';
import { publicId } from '../kernel/ids.js';
import { PaymentsQuery, ProviderReceiptClaims } from '../payments/index.js';
import { byOperator } from '../platform/process-identity.js';

interface ImportOptions {
  account: string;
  currency?: string;
  decimal?: string;
  dateFormat?: string;
  bankAccount?: string;
  bookedStates?: string;
  column?: string[];
  ignoreColumns?: string;
  creditWords?: string;
  debitWords?: string;
  balanceRows?: string;
  unsignedAmounts?: string;
}

/** The operator's commands for money of providers and banks. */
export function addMoneyCommands(program: Command, context: CommandContext): void {
  addReceipts(program, context);
  addBankStatements(program, context);
}

function addReceipts(program: Command, { withApp, print }: CommandContext): void {
  const receipts = program
    .command('receipts')
    .description('provider money that found no document, of every account and of none')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const unmatched = await app.get(PaymentsQuery).allUnmatched();
        const review = await app.get(PaymentsQuery).eventsToReview();
        const lines = [
          ...unmatched.map((one) => `${one.gateway} ${one.provider_payment_id} ${one.reason}`),
          ...review.map((one) => `${one.gateway} ${one.event_id} ${one.review}`),
        ];
        print(options, { unmatched, review }, lines.join('\n') || 'none');
      }),
    );

  receipts
    .command('claim <gateway> <provider-payment-id>')
    .description('give a receipt that has no account to the account that owns the money')
    .requiredOption('--account <id>', 'account id, acc_...')
    .option('--json', 'print JSON')
    .action((gateway: string, paymentId: string, options: { account: string } & Json) =>
      withApp(async (app) => {
        const by = byOperator(accountIn(options.account));
        const receipt = await app.get(ProviderReceiptClaims).claim(by, gateway, paymentId);
        const id = publicId('rcpt', receipt.id);
        print(options, { receipt_id: id, account_id: options.account }, `receipt ${id}`);
      }),
    );
}

function addBankStatements(program: Command, context: CommandContext): void {
  const { caller, withApp, print, progress } = context;
  program
    .command('bank-statements')
    .description('files of banks')
    .command('import')
    .description('import a camt (XML), MT940 or CSV file; the same file again changes nothing')
    .argument('<file>', 'CSV when its name ends with .csv')
    .requiredOption('--account <id>', 'account id, acc_...')
    .option('--currency <code>', 'of a CSV file that has no column for it')
    .addOption(oneOfThese('--decimal <sign>', CSV_DECIMALS))
    .addOption(oneOfThese('--date-format <format>', CSV_DATE_FORMATS))
    .option('--booked-states <words>', 'words of the bank, parted by commas, for a booked entry')
    .option(
      '--column <name=header...>',
      'the column for direction, amount and so on, of a CSV file',
    )
    .option('--ignore-columns <headers>', 'of a CSV file, parted by commas: they say nothing of it')
    .option('--credit-words <words>', 'of a CSV file, parted by commas: its words for a credit')
    .option('--debit-words <words>', 'of a CSV file, parted by commas: its words for a debit')
    .addOption(oneOfThese('--balance-rows <what>', CSV_BALANCE_ROWS))
    .addOption(oneOfThese('--unsigned-amounts <what>', DIRECTIONS))
    .option('--bank-account <iban>', 'of a CSV file that does not name it')
    .option('--json', 'print JSON')
    .action((path: string, options: ImportOptions & Json) =>
      withApp(async (app) => {
        const by = { ...byOperator(accountIn(options.account)), clientId: null };
        const read = await statementFile(resolve(caller.folder, path), options);
        const told = progress('entries');
        const statement = await app.get(BankStatements).import(by, read, undefined, told);
        const { entries, knownBefore, pending, rejected, counts } = statement;
        const { debit: debits, ...rest } = counts;
        const all = { entries, ...rest, debits, known_before: knownBefore, pending, rejected };
        const shown = {
          id: publicId('bstmt', statement.id),
          format: statement.format,
          counts: all,
          unused_columns: statement.unused,
          mapping_id: statement.mappingId && publicId('bmap', statement.mappingId),
        };
        const lines = Object.entries(all).map(([name, count]) => `${name.padEnd(13)} ${count}`);
        if (statement.unused.length > 0) lines.push(`not read      ${statement.unused.join(', ')}`);
        if (shown.mapping_id) lines.push(`read by       ${shown.mapping_id}`);
        print(options, shown, [`statement     ${shown.id}`, ...lines].join('\n'));
      }),
    );
}

async function statementFile(path: string, options: ImportOptions): Promise<BankStatementFile> {
  const bytes = await readFile(path);
  const mostEntries = MOST_BANK_ENTRIES.ofCommand;
  const bookedStates = wordsListed(options.bookedStates);
  if (!/\.csv$/i.test(path)) {
    const isXml = bytes.subarray(0, 200).toString('latin1').includes('<');
    return { bytes, mostEntries, bookedStates, format: isXml ? 'camt' : 'mt940' };
  }
  const hints = {
    delimiter: null,
    decimal: oneOf('--decimal', CSV_DECIMALS, options.decimal),
    dateFormat: oneOf('--date-format', CSV_DATE_FORMATS, options.dateFormat),
    currency: options.currency ?? null,
    account: options.bankAccount ?? null,
    columns: new Map(options.column?.map(columnIn)),
    ignored: wordsListed(options.ignoreColumns),
    words: {
      credit: wordsListed(options.creditWords),
      debit: wordsListed(options.debitWords),
    },
    balanceRows: oneOf('--balance-rows', CSV_BALANCE_ROWS, options.balanceRows),
    unsigned: oneOf('--unsigned-amounts', DIRECTIONS, options.unsignedAmounts),
  };
  return { bytes, mostEntries, bookedStates, format: 'csv', hints };
}

/** `direction=D/C`. */
function columnIn(option: string): [column: string, header: string] {
  const at = option.indexOf('=');
  const [column, header] = [option.slice(0, at), option.slice(at + 1)];
  if (at > 0 && Object.hasOwn(CSV_COLUMNS, column)) return [column, header];
  throw new Error(
    `--column: ${option} is no name=header, with one of ${Object.keys(CSV_COLUMNS).join(', ')}`,
  );
}

/** Told by help and completion; `oneOf` refuses others. */
function oneOfThese(flags: string, values: readonly string[]): Option {
  return Object.assign(new Option(flags, 'of a CSV file'), { argChoices: [...values] });
}

function oneOf<Value extends string>(
  option: string,
  values: readonly Value[],
  text: string | undefined,
): Value | null {
  const found = values.find((value) => value === text);
  if (text === undefined || found !== undefined) return found ?? null;
  throw new Error(`${option}: ${text} is none of ${values.join(', ')}`);
}
