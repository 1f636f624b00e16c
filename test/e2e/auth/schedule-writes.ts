import { dateIn } from '../../../src/kernel/clock.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import type { TestService } from '../../support/service.js';
import { aScheduleOf } from '../every-route.js';
import { aScheduledPage } from '../portal/scheduled-page.js';

type Act = () => Promise<Answer<unknown>>;

const PATH = '/v1/finance/schedules';

/** The writing calls of schedules, each with all that it needs first. */
export function scheduleWrites(
  service: () => TestService,
  client: () => TestClient,
): Record<string, () => Promise<Act>> {
  const today = () => dateIn('UTC', service().clock.now());
  const body = async () => aScheduleOf(service(), (await client().aCustomer()).id);
  const made = async () =>
    `${PATH}/${(await client().post<{ id: string }>(PATH, await body())).body.id}`;
  /** Its first period had its day, and nothing was used. */
  const begun = async () => {
    const one = await made();
    await service().app.get(ScheduleRounds).run();
    return `${one}/periods/${today()}`;
  };
  const step = (name: string, of: () => Promise<string>, sent: () => object = () => ({})) =>
    [
      `POST ${PATH}/:id/${name}`,
      async () => {
        const one = await of();
        return () => client().post(`${one}/${name}`, sent());
      },
    ] as const;
  const portalStep = (name: string, clientMay: string) =>
    [
      `POST /v1/portal/:token/schedule/${name}`,
      async () => {
        const { token } = await aScheduledPage(service(), client(), { client_may: clientMay });
        const path = `/v1/portal/${token}/schedule/${name}`;
        return () => service().call(path, { method: 'POST', body: {} });
      },
    ] as const;
  return {
    [`POST ${PATH}`]: async () => {
      const wish = await body();
      return () => client().post(PATH, wish);
    },
    [`PATCH ${PATH}/:id`]: async () => {
      const one = await made();
      return () => client().patch(one, { name: 'Other' });
    },
    ...Object.fromEntries([
      step('pause', made),
      step('resume', async () => {
        const one = await made();
        await client().post(`${one}/pause`);
        return one;
      }),
      step('end', made),
      step('skip', made),
      step('move', made, () => ({ runs_on: today() })),
      portalStep('ask-to-end', 'ask_to_end'),
      portalStep('end', 'end'),
    ]),
    [`POST ${PATH}/:id/periods/:start/skip`]: async () => {
      const one = await begun();
      return () => client().post(`${one}/skip`);
    },
    [`POST ${PATH}/:id/periods/:start/make`]: async () => {
      const one = await begun();
      return () => client().post(`${one}/make`);
    },
  };
}
