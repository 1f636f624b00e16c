import type { ServiceOperation } from './service-operations.js';

/** They tell who owes what, and what was sent about it (decision 278). */
export const USUAL_TAGS: readonly string[] = [
  'documents',
  'customers',
  'payments',
  'mail',
  'dunning',
];
const ALL = 'all';

export interface ToolWish {
  write?: boolean;
  /** With commas between them. */
  tags?: string;
  tools?: string;
}

/** Operations as tools, and of the others, why not. */
export class ToolChoice {
  private readonly tags: readonly string[];
  private readonly names: readonly string[];

  /**
   * @param granted the scopes of the token
   * @throws Error for a wish that cannot be had
   */
  constructor(
    private readonly operations: ReadonlyMap<string, ServiceOperation>,
    private readonly granted: ReadonlySet<string>,
    private readonly wish: ToolWish,
  ) {
    const known = new Set([...operations.values()].map(({ tag }) => tag));
    this.names = listIn(wish.tools);
    const wished = listIn(wish.tags).map((tag) => tag.replaceAll(/[-_]/g, ' '));
    const usual = this.names.length > 0 ? [] : USUAL_TAGS;
    this.tags = wished.length > 0 ? wished : usual;
    const strange = wished.find((tag) => tag !== ALL && !known.has(tag));
    if (strange !== undefined) {
      throw new Error(`--tags: ${strange} is none of ${[ALL, ...known].join(', ')}.`);
    }
    for (const name of this.names) {
      const reason = this.whyNot(name);
      if (reason !== null) throw new Error(`--tools: ${name} ${reason}.`);
    }
  }

  get offered(): ServiceOperation[] {
    return [...this.operations.values()].filter(({ tool }) => this.whyNot(tool) === null);
  }

  get withWrites(): boolean {
    return this.wish.write === true;
  }

  find(tool: string): ServiceOperation | undefined {
    return this.operations.get(tool);
  }

  /** Null: it is a tool. Else the end of a sentence about it. */
  whyNot(tool: string): string | null {
    const operation = this.operations.get(tool);
    if (!operation) return 'is no operation of this service';
    const { scope, method, tag } = operation;
    if (!this.granted.has(scope)) return `needs the scope ${scope}, which this client has not`;
    if (method !== 'GET' && !this.withWrites)
      return 'is no mere reading, and the server runs without --write';
    const isChosen =
      this.tags.includes(tag) || this.tags.includes(ALL) || this.names.includes(tool);
    return isChosen ? null : `is of "${tag}", which --tags does not name`;
  }

  /** Tools that are not here, by the reason. */
  get absent(): Record<string, string[]> {
    const by: Record<string, string[]> = {};
    for (const tool of this.operations.keys()) {
      const reason = this.whyNot(tool);
      if (reason !== null) (by[reason] ??= []).push(tool);
    }
    return by;
  }
}

const listIn = (text = '') =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
