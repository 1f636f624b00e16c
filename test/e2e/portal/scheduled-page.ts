import { dateIn } from '../../../src/kernel/clock.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import type { ScheduleBody } from '../../../src/schedules/wire/schedule.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { aCustomerId, create, periodsOf, scheduleRequest } from '../schedules/schedule-stage.js';

/** The first document of a schedule that begins today, with the token of its page. */
export interface ScheduledPage {
  schedule: ScheduleBody;
  documentId: string;
  token: string;
}

export async function aScheduledPage(
  service: TestService,
  client: TestClient,
  over: { document?: object; [field: string]: unknown } = {},
): Promise<ScheduledPage> {
  const today = dateIn('UTC', service.clock.now());
  const body = scheduleRequest(await aCustomerId(client), { start_date: today, ...over });
  const schedule = await create(client, body);
  await service.app.get(ScheduleRounds).run();
  const documentId = (await periodsOf(client, schedule))[0]?.document_id ?? '';
  return { schedule, documentId, token: await client.aPortalToken({ id: documentId }) };
}
