import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { anItemOfSale, aTaxRate } from '../every-route.js';

type Act = () => Promise<Answer<unknown>>;

const CATALOGUE: [path: string, wish: object][] = [
  ['/v1/finance/items', anItemOfSale],
  ['/v1/finance/tax-rates', aTaxRate],
];

/** The writing calls of the catalogue, each with all that it needs first. */
export function catalogueWrites(client: () => TestClient): Record<string, () => Promise<Act>> {
  const routes = CATALOGUE.flatMap(([path, wish]): [string, () => Promise<Act>][] => {
    const made = async () => `${path}/${(await client().post<{ id: string }>(path, wish)).body.id}`;
    return [
      [`POST ${path}`, async () => () => client().post(path, wish)],
      [
        `PATCH ${path}/:id`,
        async () => {
          const one = await made();
          return () => client().patch(one, { name: 'Other' });
        },
      ],
      [
        `POST ${path}/:id/archive`,
        async () => {
          const one = await made();
          return () => client().post(`${one}/archive`);
        },
      ],
      [
        `POST ${path}/:id/unarchive`,
        async () => {
          const one = await made();
          await client().post(`${one}/archive`);
          return () => client().post(`${one}/unarchive`);
        },
      ],
    ];
  });
  return Object.fromEntries(routes);
}
