import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';

type Act = () => Promise<Answer<unknown>>;

const RUNS = '/v1/finance/integrity/runs';

/** The steps of a check of the books: one is under way at a time, so each ends the one before it. */
export function integrityWrites(client: () => TestClient): Record<string, () => Promise<Act>> {
  const started = async () => {
    const { body } = await client().post<{ id: string }>(RUNS);
    return body.id;
  };
  const step = (name: string, before: (id: string) => Promise<unknown>) =>
    [
      `POST ${RUNS}/:id/${name}`,
      async () => {
        const id = await started();
        await before(id);
        return () => client().post(`${RUNS}/${id}/${name}`);
      },
    ] as const;
  return {
    [`POST ${RUNS}`]: async () => {
      await client().post(`${RUNS}/${await started()}/cancel`);
      return () => client().post(RUNS);
    },
    ...Object.fromEntries([
      step('pause', (id) => client().post(`${RUNS}/${id}/resume`)),
      step('resume', (id) => client().post(`${RUNS}/${id}/pause`)),
      step('cancel', async () => undefined),
    ]),
  };
}
