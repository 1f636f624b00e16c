import { Injectable } from '@nestjs/common';
import { type IdPrefix, publicId, type Uuid } from '../../kernel/ids.js';
import { spellingsOf } from '../../kernel/mailbox.js';
import { WRITTEN_TO_SELLER } from '../../mail/sql.js';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
import { DOCUMENTS } from './of-customer.js';
import { PERSONAL_PLACES, type PersonalPlace } from './personal-places.js';

/** One row of a table, by the names of its columns. */
export interface PersonalRecord extends RecordColumns {
  of: string;
}

interface RecordColumns {
  key: string;
  data: Record<string, unknown>;
}

const AT_ONCE = 500;

/** Columns that say nothing of the person. */
const OURS = `'{account_id,xact,issued_xact,settled_xact,opened_xact,search,sort_name}'::text[]`;

/** The first CTE tells the types of what a place does not ask for. $5 the key behind which to go on. */
const statementOf = ({ from, where, key }: PersonalPlace) => `
  WITH whom AS (SELECT $1::uuid, $2::uuid, $3::text[], $4::text[])
  SELECT key, data FROM (
    SELECT (${key})::text COLLATE "C" AS key, to_jsonb(t) - ${OURS} AS data
    FROM ${from} WHERE t.account_id = $1 AND (${where})
  ) rows WHERE $5::text IS NULL OR key > $5 ORDER BY key LIMIT $6`;

const IDS = `
  SELECT 'cus' AS prefix, $2::uuid AS id
  UNION ALL SELECT 'doc', document_id FROM (${DOCUMENTS}) d
  UNION ALL SELECT 'mand', mandate_id FROM mandates WHERE account_id = $1 AND customer_id = $2
  UNION ALL SELECT 'sch', schedule_id FROM schedules WHERE account_id = $1 AND customer_id = $2
  UNION ALL SELECT 'rem', reminder_id FROM reminders WHERE account_id = $1 AND customer_id = $2
  UNION ALL SELECT 'rfnd', refund_id FROM refunds WHERE account_id = $1 AND customer_id = $2
  UNION ALL SELECT 'ptok', portal_token_id FROM portal_tokens WHERE account_id = $1
    AND document_id IN (${DOCUMENTS})
  UNION ALL SELECT 'msg', message_id FROM mail_messages WHERE account_id = $1
    AND document_id IN (${DOCUMENTS})
  UNION ALL SELECT 'pay', payment_id FROM payments WHERE account_id = $1 AND document_id IS NULL
    AND customer_id = $2`;

const ADDRESSES = `SELECT DISTINCT unnest(recipients) AS address FROM mail_messages
  WHERE account_id = $1 AND kind <> ALL ($3::text[])
    AND document_id IN (${DOCUMENTS})`;

interface Ids {
  /** @notNull */
  prefix: IdPrefix;
  /** @notNull */
  id: Uuid;
}

/** All that is stored of a customer, as it stands when the first of it is read. */
@Injectable()
export class PersonalDataQuery {
  constructor(private readonly snapshots: Snapshots) {}

  records(
    accountId: Uuid,
    customerId: Uuid,
    email: string | null,
  ): AsyncGenerator<PersonalRecord[], void> {
    let values: unknown[] | undefined;
    return this.snapshots.pages<PersonalRecord>(AT_ONCE, async (read, last) => {
      values ??= await whomOf(read, accountId, customerId, email);
      const found: PersonalRecord[] = [];
      const from = PERSONAL_PLACES.findIndex(({ of }) => of === last?.of);
      for (const place of PERSONAL_PLACES.slice(Math.max(from, 0))) {
        const { of } = place;
        const behind = of === last?.of ? last.key : null;
        const rows = await read<RecordColumns>(statementOf(place), [
          ...values,
          behind,
          AT_ONCE - found.length,
        ]);
        found.push(...rows.map((row) => ({ of, ...row })));
        if (found.length === AT_ONCE) break;
      }
      return found;
    });
  }
}

async function whomOf(
  read: SnapshotRead,
  accountId: Uuid,
  customerId: Uuid,
  email: string | null,
): Promise<unknown[]> {
  const whom = [accountId, customerId];
  const ids = await read<Ids>(IDS, whom);
  const written = await read<{
    /** @notNull */
    address: string;
  }>(ADDRESSES, [...whom, WRITTEN_TO_SELLER]);
  const addresses = [...written.map(({ address }) => address), email ?? ''];
  const publicIds = ids.map(({ prefix, id }) => publicId(prefix, id));
  return [...whom, publicIds, addresses.flatMap(spellingsOf)];
}
