import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { TestDatabase } from '../../support/database.js';
import type { Answer } from '../../support/http.js';

type Act = () => Promise<Answer<unknown>>;

const HOOKS = '/v1/webhook-endpoints';
const WISH = { url: 'https://shop.example.com/hook' };

/** All that writes about webhook endpoints, by route: it is prepared, then done. */
export function endpointWrites(
  of: () => { client: TestClient; database: TestDatabase },
): Record<string, () => Promise<Act>> {
  const anEndpoint = async () => {
    const { body } = await of().client.post<{ id: string }>(HOOKS, WISH);
    return `${HOOKS}/${body.id}`;
  };
  const step = (name: string) => async () => {
    const path = await anEndpoint();
    return () => of().client.post(`${path}/${name}`);
  };
  return {
    [`POST ${HOOKS}`]: async () => () => of().client.post(HOOKS, WISH),
    [`PATCH ${HOOKS}/:id`]: async () => {
      const path = await anEndpoint();
      return () => of().client.patch(path, { description: 'shop' });
    },
    [`DELETE ${HOOKS}/:id`]: async () => {
      const path = await anEndpoint();
      return () => of().client.delete(path);
    },
    [`POST ${HOOKS}/:id/rotate`]: step('rotate'),
    [`POST ${HOOKS}/:id/disable`]: step('disable'),
    [`POST ${HOOKS}/:id/test`]: step('test'),
    [`POST ${HOOKS}/:id/enable`]: async () => {
      const path = await anEndpoint();
      await of().client.post(`${path}/disable`);
      return () => of().client.post(`${path}/enable`);
    },
    [`POST ${HOOKS}/:id/replay`]: async () => {
      await of().client.anInvoice();
      const path = await anEndpoint();
      const wish = { from: '2020-01-01T00:00:00Z', which: 'all' };
      return () => of().client.post(`${path}/replay`, wish);
    },
    [`POST ${HOOKS}/:id/deliveries/:event_id/redeliver`]: async () => {
      const { client, database } = of();
      const path = await anEndpoint();
      const { body } = await client.post<{ event_id: string }>(`${path}/test`);
      await database.query(
        `UPDATE webhook_deliveries SET status = 'failed', next_try_at = NULL WHERE event_id = $1`,
        [uuidOf('evt', body.event_id)],
      );
      return () => client.post(`${path}/deliveries/${body.event_id}/redeliver`);
    },
  };
}
