import { countedGateway } from '../payments/index.js';

/** Told of each call of a provider. `outcome`: `2xx`, `4xx`, `429`, `5xx`, or `no_answer`. */
export type ProviderCallWatch = (gateway: string, outcome: string, seconds: number) => void;

/** The same calls, of which somebody is told. */
export function watchedFetch(
  fetch: typeof globalThis.fetch,
  of: { name: string; provider: string },
  watch: ProviderCallWatch | undefined,
): typeof globalThis.fetch {
  if (!watch) return fetch;
  const gateway = countedGateway(of);
  return async (...args) => {
    const begunAt = performance.now();
    let outcome = 'no_answer';
    try {
      const answer = await fetch(...args);
      outcome = answer.status === 429 ? '429' : `${Math.floor(answer.status / 100)}xx`;
      return answer;
    } finally {
      watch(gateway, outcome, (performance.now() - begunAt) / 1000);
    }
  };
}
