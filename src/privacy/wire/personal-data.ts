import { z } from 'zod';
import { type IdPrefix, publicId, type PublicId } from '../../kernel/ids.js';
import { instant, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { answerShape } from '../../platform/http/validation/shapes.js';
import type { PersonalRecord } from '../infrastructure/personal-data.query.js';

const PersonalRecordBody = answerShape('PersonalRecordBody', {
  of: z.string().meta({
    example: 'customers',
    description: 'The kind of thing, by the name of its table in docs/privacy.md.',
  }),
  data: z.looseObject({}).meta({
    description:
      'All that is stored of it, by the names in docs/schema.sql; amounts are in minor units.',
  }),
});

export const PersonalDataBody = answerShape('PersonalDataBody', {
  customer_id: publicIdOf('cus'),
  exported_at: instant,
  records: z.array(PersonalRecordBody),
});

const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  allocation_id: 'alloc',
  bank_entry_id: 'bentry',
  billed_by: 'doc',
  client_id: 'cli',
  credit_note_id: 'doc',
  credited_line_id: 'line',
  customer_id: 'cus',
  dispute_id: 'dsp',
  document_id: 'doc',
  event_id: 'evt',
  item_id: 'prod',
  line_id: 'line',
  mandate_id: 'mand',
  message_id: 'msg',
  origin_document_id: 'doc',
  payment_id: 'pay',
  payment_link_id: 'plink',
  payout_id: 'pout',
  portal_token_id: 'ptok',
  receipt_id: 'rcpt',
  refund_id: 'rfnd',
  reminder_id: 'rem',
  schedule_id: 'sch',
  statement_id: 'bstmt',
  tax_rate_id: 'txr',
  usage_id: 'use',
};
const ENTRIES: Readonly<Record<string, IdPrefix>> = {
  audit_entries: 'aud',
  bank_entries: 'bentry',
};
const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids as the API has them. */
function presented({ of, data }: PersonalRecord) {
  const named = Object.entries(data).map(([name, value]) => {
    const prefix = name === 'entry_id' ? ENTRIES[of] : PREFIXES[name];
    const isId = prefix !== undefined && typeof value === 'string' && IS_UUID.test(value);
    return [name, isId ? publicId(prefix, value) : value] as const;
  });
  return { of, data: Object.fromEntries(named) };
}

/** One JSON object, some records at a time. */
export async function* personalDataJson(
  customerId: PublicId,
  exportedAt: Date,
  pages: AsyncIterable<readonly PersonalRecord[]>,
): AsyncGenerator<string, void> {
  const head = JSON.stringify({ customer_id: customerId, exported_at: exportedAt.toISOString() });
  let before = `${head.slice(0, -1)},"records":[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((record) => JSON.stringify(presented(record))).join(',\n');
    before = ',\n';
  }
  yield `${before.startsWith('{') ? before : ''}]}\n`;
}
