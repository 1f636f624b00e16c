import type { Currency } from '../../../kernel/currency.js';
import type { ExportRow } from '../export-rows.js';
import type { ExportPlace, MigrationPlan } from '../migration-plan.js';
import { loseCommon, ninjaId } from './ninja-clients.js';

interface CreditReading {
  plan: MigrationPlan;
  currencyOf: (client: string) => Currency;
}

const COMPLETED = new Set(['4', '5', '6']);
const DRAFT = '1';

/** The rest of a credit note. */
export function takeNinjaCredit(
  row: ExportRow,
  place: ExportPlace,
  { plan, currencyOf }: CreditReading,
): void {
  if (row.flag('is_deleted')) return plan.lose('credits, deleted');
  const client = row.need('client_id');
  const currency = currencyOf(client);
  const left = row.needMinor(currency, 'balance');
  if (row.text('status_id') === DRAFT) return plan.lose('credits, draft', currency, left);
  if (left <= 0n) return plan.lose('credits, spent', currency, row.minor(currency, 'amount') ?? 0n);
  takeRest(row, place, plan, { client, currency, left, of: 'What was left of credit' });
  plan.lose('lines and taxes of credits, of which the sum is taken');
  loseCommon(row, plan);
}

/** The part of a payment that no invoice has. */
export function takeNinjaPayment(
  row: ExportRow,
  place: ExportPlace,
  { plan, currencyOf }: CreditReading,
): void {
  if (row.flag('is_deleted')) return plan.lose('payments, deleted');
  const client = row.need('client_id');
  const currency = currencyOf(client);
  const amount = row.needMinor(currency, 'amount');
  if (!COMPLETED.has(row.need('status_id'))) {
    return plan.lose('payments, not completed', currency, amount);
  }
  const applied = row.minor(currency, 'applied') ?? 0n;
  const left = amount - applied - (row.minor(currency, 'refunded') ?? 0n);
  if (applied > 0n) plan.lose('payments, told as what is settled', currency, applied);
  if (left <= 0n) return;
  takeRest(row, place, plan, { client, currency, left, of: 'What no invoice had of payment' });
}

interface Rest {
  client: string;
  currency: Currency;
  left: bigint;
  /** The beginning of its note, before the number. */
  of: string;
}

function takeRest(
  row: ExportRow,
  place: ExportPlace,
  plan: MigrationPlan,
  { client, currency, left, of }: Rest,
): void {
  const number = row.text('number') ?? ninjaId(row);
  plan.takeCredit({
    externalId: plan.idOf(ninjaId(row)),
    customer: plan.idOf(client),
    place,
    currency,
    amount: left,
    body: { reference: number, note: `${of} ${number} at Invoice Ninja` },
  });
}
