import { Chance } from '../../src/testing/chance.js';
import type { TestService } from '../support/service.js';
import { Months, NOW } from './months.js';
import { differences } from './three-ways.js';

/** A seller whose tax is not the same three ways. */
export interface Difference {
  seed: number;
  steps: number;
  wrong: readonly string[];
}

interface HuntWish {
  sellers: number;
  steps: number;
  seed: number;
  lanes: number;
}

/** Each seller has a seed of its own, which makes the same months again. */
export async function hunt(
  service: TestService,
  { sellers, steps, seed, lanes }: HuntWish,
  onDone: (count: number) => void = () => {},
): Promise<{ wrong: Difference[]; done: Map<string, number> }> {
  service.clock.set(NOW);
  const wrong: Difference[] = [];
  const done = new Map<string, number>();
  let next = 0;
  const lane = async () => {
    while (next < sellers) {
      const own = seed + next;
      next += 1;
      const difference = await play(service, own, steps, done);
      if (difference.length > 0) wrong.push({ seed: own, steps, wrong: difference });
      onDone(next);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { wrong, done };
}

async function play(
  service: TestService,
  seed: number,
  steps: number,
  done: Map<string, number>,
): Promise<string[]> {
  const client = await service.aClient();
  const chance = new Chance(seed);
  const months = new Months(client, chance);
  try {
    const isByCash = await months.begin();
    for (let step = 0; step < steps; step += 1) await months.step();
    for (const [name, count] of months.done) done.set(name, (done.get(name) ?? 0) + count);
    return await differences(client, chance.of(['skr03', 'skr04']), isByCash);
  } catch (error) {
    return [String(error)];
  }
}

export function wordsOf({ seed, steps, wrong }: Difference): string {
  return `--seed ${seed} --sellers 1 --steps ${steps}\n  ${wrong.join('\n  ')}`;
}
