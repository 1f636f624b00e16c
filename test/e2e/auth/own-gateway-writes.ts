import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';

type Act = () => Promise<Answer<unknown>>;

const PATH = '/v1/finance/gateways';

/** The writing calls of an account's gateways, each with all that it needs first. */
export function ownGatewayWrites(client: () => TestClient): Record<string, () => Promise<Act>> {
  let made = 0;
  const create: Act = () => {
    made += 1;
    const settings = { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
    return client().post(PATH, { name: `own-${made}`, provider: 'standard-webhooks', settings });
  };
  const ofOne =
    (step: string, body: object = {}, first?: [string, object]) =>
    async (): Promise<Act> => {
      const { body: own } = (await create()) as Answer<{ id: string }>;
      if (first) await client().post(`${PATH}/${own.id}/${first[0]}`, first[1]);
      return () => client().post(`${PATH}/${own.id}/${step}`, body);
    };
  const rotation = { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };
  return {
    [`POST ${PATH}`]: async () => create,
    [`PATCH ${PATH}/:id`]: async () => {
      const { body: own } = (await create()) as Answer<{ id: string }>;
      return () => client().patch(`${PATH}/${own.id}`, { name: 'own-renamed' });
    },
    [`POST ${PATH}/:id/rotate-secret`]: ofOne('rotate-secret', rotation),
    [`POST ${PATH}/:id/retire-secret`]: ofOne('retire-secret', {}, ['rotate-secret', rotation]),
    [`POST ${PATH}/:id/disable`]: ofOne('disable'),
    [`POST ${PATH}/:id/enable`]: ofOne('enable', {}, ['disable', {}]),
  };
}
