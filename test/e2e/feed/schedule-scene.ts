import { dateIn } from '../../../src/kernel/clock.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import { good } from '../documents/document-calls.js';
import { anItemOfSale } from '../every-route.js';
import { aScheduledPage } from '../portal/scheduled-page.js';
import type { Scene } from './event-scenes.js';

const PATH = '/v1/finance/schedules';

/** Schedules whose periods end in each way. */
export async function schedules({ service, client }: Scene): Promise<void> {
  const customer = await client.aCustomer();
  const item = good(await client.post<{ id: string }>('/v1/finance/items', anItemOfSale), 201);
  const today = dateIn('UTC', service.clock.now());
  const make = async (line: object, over: object = {}) => {
    const document = { customer_id: customer.id, lines: [{ tax_rate: '19', ...line }] };
    const body = {
      name: 'Retainer',
      document,
      recurrence: { every: 'day' },
      action: 'issue',
      start_date: today,
      ...over,
    };
    const { id } = good(await client.post<{ id: string }>(PATH, body), 201);
    return `${PATH}/${id}`;
  };
  const work = { description: 'Work', unit_amount: 100 };
  const plain = await make(work, { periods: 3 });
  good(await client.post(`${plain}/pause`), 200);
  good(await client.post(`${plain}/resume`), 200);
  good(await client.patch(plain, { name: 'Other' }), 200);
  good(await client.post(`${plain}/skip`), 200);
  await make({ item_id: item.id, unit_amount: 100, tax_rate: undefined }, { periods: 1 });
  await client.post(`/v1/finance/items/${item.id}/archive`);
  await make({ ...work, meter: 'calls' }, { periods: 1 });
  await make(work, { periods: 1, trial_end: today });
  await make(work, { periods: 2, missed: 'ask' });
  const reviewed = await make(work, { periods: 1, review_hours: 1 });
  const round = async () => service.app.get(ScheduleRounds).run();
  await round();
  const { body } = await client.get<{ data: { document_id: string }[] }>(
    `/v1/finance/schedule-periods?status=in_review&schedule_id=${reviewed.split('/').at(-1)}`,
  );
  await client.delete(`/v1/finance/documents/${body.data[0]?.document_id}`);
  const { token } = await aScheduledPage(service, client, { client_may: 'ask_to_end' });
  const asked = await service.call(`/v1/portal/${token}/schedule/ask-to-end`, { method: 'POST' });
  good(asked, 200);
  service.clock.advance({ days: 4 });
  await round();
}
