import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import type { TestService } from '../../support/service.js';
import { aReminder } from '../dunning/a-reminder.js';
import { PLAN } from '../dunning/dunning-stage.js';

type Act = () => Promise<Answer<unknown>>;

/** The writing calls of dunning, each with all that it needs first. */
export function dunningWrites(
  service: () => TestService,
  client: () => TestClient,
): Record<string, () => Promise<Act>> {
  const step = (name: string, over: object) =>
    [
      `POST /v1/finance/reminders/:id/${name}`,
      async () => {
        const { reminder } = await aReminder(service(), client(), over);
        return () => client().post(`/v1/finance/reminders/${reminder}/${name}`);
      },
    ] as const;
  return {
    [`PATCH ${PLAN}`]: async () => () => client().patch(PLAN, { letters_by: 'customer' }),
    'PATCH /v1/finance/documents/:id/dunning': async () => {
      const { id } = await client().anInvoice();
      return () => client().patch(`/v1/finance/documents/${id}/dunning`, { paused: true });
    },
    ...Object.fromEntries([
      step('mark-sent', { email: undefined }),
      step('waive-charges', { email: undefined }),
    ]),
  };
}
