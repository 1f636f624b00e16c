import { setTimeout as sleep } from 'node:timers/promises';
import { DueDates } from '../../src/documents/application/due-dates.service.js';
import type { EventBody } from '../../src/feed/wire/event.js';
import { EVENT_TYPES } from '../../src/feed/wire/event-types.js';
import { Chance } from '../../src/testing/chance.js';
import { good } from '../e2e/documents/document-calls.js';
import { SCENES, type Scene } from '../e2e/feed/event-scenes.js';
import type { TestClient } from '../support/client.js';
import { untilAllHaveEnded } from '../support/books.js';
import { copyDifferences, EventCopy, KINDS, type Shown, type Things } from './event-copy.js';
import { RandomCalls } from './random-calls.js';
import { answering, Receiver } from './receiver.js';

/** Accounts whose events are followed by a poller and by a receiver, each with a copy of its own. */
export interface Copying {
  seed: number;
  /** At least so many are caused, in all. */
  events: number;
  /** One in so many calls of the receiver fails. */
  failsOneIn: number;
}

export interface Copied {
  events: number;
  /** Types that nothing has caused. */
  uncaused: string[];
  /** Scenes that could not be played where they came, as another one stood in their way. */
  refused: string[];
  differences: string[];
}

const PATIENCE_MS = 120_000;
const CALLS_BESIDE = 8;

/** One account, and what is known of it by events alone. */
class Followed {
  readonly polled = new EventCopy();
  readonly received = new EventCopy();
  readonly ids = new Set<string>();
  private readonly meant = new Set<string>();
  private readonly got = new Set<string>();
  private after = 'beginning';

  private constructor(
    readonly client: TestClient,
    private readonly receiver: Receiver,
    private readonly endpoint: { id: string },
  ) {}

  static async begin(client: TestClient, chance: Chance, failsOneIn: number): Promise<Followed> {
    const receiver = await Receiver.open((call, response) => {
      if (chance.below(failsOneIn) === 0) return answering(500)(call, response);
      // Some answers take longer than others, so that calls overtake each other.
      return setTimeout(() => {
        followed.got.add(call.id);
        followed.received.take(JSON.parse(call.body) as EventBody);
        answering(200)(call, response);
      }, chance.below(30));
    });
    const made = await client.post<{ id: string }>('/v1/webhook-endpoints', { url: receiver.url });
    const followed: Followed = new Followed(client, receiver, made.body);
    return followed;
  }

  /** Reads all that is there. */
  async poll(): Promise<void> {
    for (;;) {
      const { body } = await this.client.get<{
        data: EventBody[];
        has_more: boolean;
        next_cursor: string;
      }>(`/v1/events?limit=100&after=${this.after}`);
      for (const event of body.data) {
        if (this.ids.has(event.id)) throw new Error(`${event.id} came twice`);
        this.ids.add(event.id);
        // That of another endpoint comes to that one alone.
        if (event.type !== 'webhook_endpoint.test') this.meant.add(event.id);
        this.polled.take(event);
      }
      this.after = body.next_cursor;
      if (!body.has_more) return;
    }
  }

  /** Events that the receiver has to get and has not. */
  missing(): number {
    return [...this.meant].filter((id) => !this.got.has(id)).length;
  }

  /**
   * Scenes set the clock on for days: where a try before them and one behind them failed, the
   * endpoint did nothing else for five days. Its owner does what the mail says.
   */
  async enableAgain(): Promise<void> {
    const path = `/v1/webhook-endpoints/${this.endpoint.id}`;
    const { body } = await this.client.get(path);
    if (body['status'] !== 'disabled') return;
    good(await this.client.post(`${path}/enable`), 200);
    const all = { which: 'all', from: '2020-01-01T00:00:00Z' };
    good(await this.client.post(`${path}/replay`, all), 200);
  }

  async differences(): Promise<string[]> {
    const found: string[] = [];
    for (const kind of KINDS) {
      const listed = await listedBy(
        this.client,
        kind.lists,
        kind.name === 'receipt' ? 'id' : kind.id,
      );
      for (const [who, copy] of [
        ['poller', this.polled],
        ['receiver', this.received],
      ] as const) {
        const differences = copyDifferences(kind, copy.of(kind), listed);
        found.push(...differences.map((text) => `${who}: ${text}`));
      }
    }
    return found;
  }

  async end(): Promise<void> {
    await this.client.delete(`/v1/webhook-endpoints/${this.endpoint.id}`);
    await this.receiver.close();
  }
}

async function listedBy(
  client: TestClient,
  lists: readonly string[],
  idField: string,
): Promise<Things> {
  const things = new Map<string, Shown>();
  for (const list of lists) {
    for (let cursor: string | null = ''; cursor !== null;) {
      const {
        status,
        body,
      }: { status: number; body: { data: Shown[]; next_cursor?: string | null } } =
        await client.get(
          `${list}${list.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`,
        );
      if (status !== 200) throw new Error(`${list}: ${JSON.stringify(body)}`);
      for (const shown of body.data) things.set(String(shown[idField]), shown);
      cursor = body.next_cursor ?? null;
    }
  }
  return things;
}

/** Plays scenes in a random order, with random calls between them, until there are enough events. */
export async function copyEvents(
  scene: Scene,
  { seed, events, failsOneIn }: Copying,
  onProgress: (sentence: string) => void = () => undefined,
): Promise<Copied> {
  const chance = new Chance(seed);
  const refused: string[] = [];
  const all: Followed[] = [];
  const count = () => all.reduce((sum, { ids }) => sum + ids.size, 0);
  try {
    while (count() < events) {
      // Each account plays all of them once: a month that is closed stays so for what comes behind.
      const followed = await Followed.begin(
        await scene.service.aClient(),
        new Chance(chance.below(2 ** 31)),
        failsOneIn,
      );
      all.push(followed);
      const calls = new RandomCalls(followed.client, new Chance(chance.below(2 ** 31)));
      const names = shuffled(Object.keys(SCENES), chance);
      for (const name of names) {
        Object.assign(scene.stub, { next: [], nextLookUps: [], refunds: [] });
        scene.catcher.refuse = () => null;
        const beside = calls.make(CALLS_BESIDE);
        try {
          await SCENES[name]!({ ...scene, client: followed.client });
        } catch (error) {
          refused.push(`${name}: ${error instanceof Error ? error.message.slice(0, 200) : error}`);
        }
        await beside;
        await followed.poll();
      }
      onProgress(`${count()} events of ${all.length} accounts`);
    }
    await scene.service.app.get(DueDates).run();
    await untilAllCame(scene, all);
    const differences: string[] = [];
    for (const followed of all) differences.push(...(await followed.differences()));
    const caused = new Set(all.flatMap(({ polled }) => [...polled.types]));
    const uncaused = EVENT_TYPES.filter((type) => !caused.has(type));
    return { events: count(), uncaused, refused, differences };
  } finally {
    for (const followed of all) await followed.end();
  }
}

async function untilAllCame(scene: Scene, all: readonly Followed[]): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  await untilAllHaveEnded(scene.service);
  for (;;) {
    let missing = 0;
    for (const followed of all) {
      await followed.poll();
      if (followed.missing() > 0) await followed.enableAgain();
      missing += followed.missing();
    }
    if (missing === 0) return;
    if (performance.now() > until) throw new Error(`${missing} events never came to the receiver`);
    await sleep(200);
  }
}

function shuffled<Item>(items: readonly Item[], chance: Chance): Item[] {
  const left = [...items];
  return items.map(() => left.splice(chance.below(left.length), 1)[0]!);
}
