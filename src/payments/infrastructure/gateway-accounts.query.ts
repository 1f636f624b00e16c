import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Gateway } from '../domain/gateway.js';
import { gatewayVariable } from '../domain/gateways.js';

/** Whether the service has no other account: a gateway that nobody gave away is then its own. */
export async function isOnlyAccount(tx: Pick<Tx, 'read'>, accountId: Uuid): Promise<boolean> {
  const others = await tx.read('SELECT 1 FROM accounts WHERE account_id <> $1 LIMIT 1', [
    accountId,
  ]);
  return others.length === 0;
}

/**
 * Whether a link is of the account that was the only one when it was made. A payment through it is
 * that account's, also if others came since. It is asked only if the gateway is assigned to no
 * account.
 */
export async function isOfOnlyAccount(
  tx: Pick<Tx, 'load'>,
  { accounts }: Gateway,
  linkId: Uuid,
): Promise<boolean> {
  if (accounts !== 'unsaid') return false;
  const others = await tx.load({
    text: `SELECT 1 FROM payment_links l JOIN accounts a
        ON a.account_id <> l.account_id AND a.created_at <= l.created_at
      WHERE l.payment_link_id = $1 LIMIT 1`,
    types: ['uuid'],
    values: [linkId],
    claims: null,
  });
  return others.length === 0;
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
