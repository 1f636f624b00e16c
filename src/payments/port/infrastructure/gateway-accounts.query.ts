import type { AccountMode } from '../../../auth/index.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Gateway, GatewayHolder } from '../domain/gateway.js';
import { gatewayVariable, type GatewayWish } from '../domain/gateways.js';

/** An account that is to be paid, as gateways see it. */
export async function payableAccount(
  reads: Pick<Tx, 'read'>,
  accountId: Uuid,
): Promise<GatewayWish> {
  const [row] = await reads.read<{ mode: AccountMode; is_only: boolean }>(
    `SELECT mode, NOT EXISTS (SELECT FROM accounts o WHERE o.account_id <> $1) AS is_only
     FROM accounts WHERE account_id = $1`,
    [accountId],
  );
  return { accountId, isOnlyAccount: !!row?.is_only, isTest: row?.mode === 'test', reads };
}

/**
 * The account of a link, as a gateway saw it when the link was made. If it was the only one, its payment
 * is that account's, also if others came since. Only gateways that have to know are asked for.
 */
export async function holderOfLink(
  tx: Pick<Tx, 'load'>,
  { accounts, isForTests }: Gateway,
  linkId: Uuid,
): Promise<Omit<GatewayHolder, 'accountId'>> {
  if (accounts !== 'unsaid' && !isForTests) return { isOnlyAccount: false, isTest: false };
  const [row] = await tx.load<{ mode: AccountMode; is_only: boolean }>({
    text: `SELECT a.mode, NOT EXISTS (SELECT FROM accounts o
        WHERE o.account_id <> l.account_id AND o.created_at <= l.created_at) AS is_only
      FROM payment_links l JOIN accounts a USING (account_id) WHERE l.payment_link_id = $1`,
    types: ['uuid'],
    values: [linkId],
    claims: null,
  });
  return { isOnlyAccount: !!row?.is_only, isTest: row?.mode === 'test' };
}

/** Warnings for the operator: gateways that no account may use, and accounts that do not exist. */
export async function gatewayAccountWarnings(
  gateways: Iterable<Gateway>,
  query: <Row>(text: string, values: unknown[]) => Promise<Row[]>,
): Promise<string[]> {
  const all = [...gateways];
  const named = all.flatMap(({ accounts }) => (accounts instanceof Set ? [...accounts] : []));
  const [found] = await query<{ accounts: number; unknown: Uuid[] }>(
    `SELECT (SELECT count(*) FROM accounts)::int AS accounts,
       ARRAY(SELECT unnest($1::uuid[]) EXCEPT SELECT account_id FROM accounts)::text[] AS unknown`,
    [named],
  );
  const { accounts: count = 0, unknown = [] } = found ?? {};
  return all.flatMap(({ name, accounts }) => {
    const variable = gatewayVariable(name, 'accounts');
    if (accounts === 'unsaid' && count > 1) {
      return [
        `${name} makes no payment links: there are ${count} accounts, and ${variable} does not ` +
          'say whose it is (acc_... with commas, or * for all)',
      ];
    }
    if (!(accounts instanceof Set)) return [];
    return unknown
      .filter((id) => accounts.has(id))
      .map((id) => `${variable} names ${publicId('acc', id)}, and there is no such account`);
  });
}
