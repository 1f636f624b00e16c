import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { SchedulePeriodBody } from '../../../src/schedules/wire/period.js';
import type { ScheduleBody } from '../../../src/schedules/wire/schedule.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type ServiceWish, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';

const PATH = '/v1/finance/schedules';

/** A service whose clock stands where a test wants it, and whose rounds run when it says so. */
export interface ScheduleStage {
  service: TestService;
  /** At ten in the morning, or an instant, and the rounds of that moment. @returns how many periods had their day */
  at(day: string): Promise<number>;
  close(): Promise<void>;
}

export async function scheduleStage(first: string, wish: ServiceWish = {}): Promise<ScheduleStage> {
  const service = await startTestService(wish);
  service.clock.set(`${first}T10:00:00Z`);
  return {
    service,
    at: async (day) => {
      service.clock.set(day.includes('T') ? day : `${day}T10:00:00Z`);
      return service.app.get(ScheduleRounds).run();
    },
    close: () => service.close(),
  };
}

export async function aCustomerId(client: TestClient, over: object = {}): Promise<string> {
  const body = { name: 'Globex GmbH', email: 'accounts@globex.example', country: 'DE', ...over };
  return good(await client.post<{ id: string }>('/v1/finance/customers', body), 201).id;
}

/** 100.00 and 19 % each month; `document` and the rest replace fields. */
export function scheduleRequest(
  customerId: string,
  { document = {}, ...over }: { document?: object; [field: string]: unknown } = {},
) {
  return {
    name: 'Retainer',
    document: {
      customer_id: customerId,
      lines: [{ description: 'Retainer {month}', unit_amount: 10_000, tax_rate: '19' }],
      ...document,
    },
    recurrence: { every: 'month' },
    action: 'issue',
    ...over,
  };
}

export const create = async (client: TestClient, body: object): Promise<ScheduleBody> =>
  good(await client.post<ScheduleBody>(PATH, body), 201);

export const read = async (client: TestClient, { id }: { id: string }): Promise<ScheduleBody> =>
  good(await client.get<ScheduleBody>(`${PATH}/${id}`), 200);

export const step = async (
  client: TestClient,
  { id }: { id: string },
  name: string,
  body: object = {},
): Promise<ScheduleBody> =>
  good(await client.post<ScheduleBody>(`${PATH}/${id}/${name}`, body), 200);

/** The oldest first. */
export async function periodsOf(
  client: TestClient,
  { id }: { id: string },
): Promise<SchedulePeriodBody[]> {
  const path = `/v1/finance/schedule-periods?schedule_id=${id}&limit=100`;
  return good(await client.get<{ data: SchedulePeriodBody[] }>(path), 200).data.toReversed();
}

export async function documentsOf(
  client: TestClient,
  schedule: { id: string },
): Promise<DocumentBody[]> {
  const periods = await periodsOf(client, schedule);
  const ids = periods.flatMap(({ document_id: id }) => id ?? []);
  return Promise.all(
    ids.map(async (id) => good(await client.get<DocumentBody>(`/v1/finance/documents/${id}`), 200)),
  );
}
