import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { RemoteService } from '../remote/remote-service.js';
import { AVAILABLE_ACTIONS, availableActions } from './document-actions.js';
import {
  type ServiceDescription,
  type ServiceOperation,
  serviceOperations,
} from './service-operations.js';
import { failureResult, jsonResult, resultOf } from './tool-answers.js';
import { ToolChoice, type ToolWish } from './tool-choice.js';
import { BadArguments, toolRequest, type ToolArguments } from './tool-requests.js';
import { inputSchema } from './tool-schemas.js';

/** A schema in the list of tools is read with each question, so the large ones are shown in part. */
const LISTED_CHARACTERS = 6000;
const DESCRIBED_CHARACTERS = 39_000;
/** A POST with a scope to read calculates, and keeps nothing. */
const READING = /:read$/;

const DESCRIBE_TOOL = {
  name: 'describe_tool',
  title: 'All fields of a tool',
  description: 'The whole schema of a tool whose description says that it is shown in part.',
  inputSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** The tools that a client of a service has, and their calls. */
export class ServiceTools {
  private constructor(
    private readonly service: RemoteService,
    private readonly description: ServiceDescription,
    readonly choice: ToolChoice,
    readonly list: readonly Tool[],
  ) {}

  /** @throws Error for a wish that cannot be had; RemoteRefused, RemoteSilent */
  static async of(service: RemoteService, wish: ToolWish): Promise<ServiceTools> {
    const granted = await service.scopes();
    const description = await service.get<ServiceDescription>('/v1/openapi.json');
    const operations = serviceOperations(description);
    const choice = new ToolChoice(operations, granted, wish);
    const listed = choice.offered.map((one) => listedTool(one, description));
    const scope = operations.get('get_document')?.scope;
    const more: Tool[] = [];
    if (scope !== undefined && granted.has(scope)) more.push(AVAILABLE_ACTIONS);
    if (listed.some(({ isWhole }) => !isWhole)) more.push(DESCRIBE_TOOL);
    const list = [...more, ...listed.map(({ tool }) => tool)];
    if (list.length === 0) {
      throw new Error(
        'There is no tool: the scopes of this client allow nothing of what was asked for.',
      );
    }
    return new ServiceTools(service, description, choice, list);
  }

  /** For the agent: what holds for all tools. */
  get instructions(): string {
    const { withWrites, offered } = this.choice;
    const here = new Set(offered.map(({ tag }) => tag));
    const others = (this.description.tags ?? []).filter(({ name }) => !here.has(name));
    return [
      `Invoices, payments and customers of one account of Quittance at ${this.service.url}.`,
      'Amounts are integers in the minor unit of their currency: 11900 EUR is 119.00 EUR. Texts behind an answer say them in words: quote those.',
      withWrites
        ? 'Writes change the books and send messages to people. Each needs an idempotency_key of its own.'
        : 'All tools only read. The person who set this up allows writes with --write.',
      `Ask ${AVAILABLE_ACTIONS.name} before you change a document. It also says which tools are not here, and why.`,
      'Lists have limit and cursor: begin with a small limit. Most take fields: name those that you need, and currency with amounts.',
      `Not all is here. The person who set this up can add, with --tags: ${others.map(({ name }) => name).join(', ')}.`,
    ].join('\n');
  }

  /** A refusal, too, is a result that the agent reads. */
  async call(name: string, given: ToolArguments): Promise<CallToolResult> {
    try {
      if (!this.list.some((tool) => tool.name === name)) {
        throw new BadArguments('unknown_tool', `${name} ${this.choice.whyNot(name)}.`);
      }
      if (name === AVAILABLE_ACTIONS.name) {
        return await availableActions(this.service, this.choice, given);
      }
      if (name === DESCRIBE_TOOL.name) return this.describe(given);
      const operation = this.named(name);
      const request = toolRequest(operation, given);
      const answer = await this.service.answer(request);
      return resultOf(answer, { uri: `${this.service.url}${request.path}` });
    } catch (error) {
      return failureResult(error);
    }
  }

  private describe({ name }: ToolArguments): CallToolResult {
    const operation = this.named(String(name));
    const { schemas = {} } = this.description.components ?? {};
    const { schema } = inputSchema(operation, schemas, DESCRIBED_CHARACTERS);
    const { summary, description, body } = operation;
    return jsonResult({ summary, description, schema, example: body?.example });
  }

  private named(name: string): ServiceOperation {
    const operation = this.choice.find(name);
    if (operation) return operation;
    throw new BadArguments('unknown_tool', `${name} ${this.choice.whyNot(name)}.`);
  }
}

function listedTool(
  operation: ServiceOperation,
  { components }: ServiceDescription,
): { tool: Tool; isWhole: boolean } {
  const { tool: name, method, scope, summary, description, path } = operation;
  const { schema, isWhole } = inputSchema(operation, components?.schemas ?? {}, LISTED_CHARACTERS);
  const isReading = method === 'GET' || (method === 'POST' && READING.test(scope));
  // Making a new thing by itself is all that can hurt nothing that is there.
  const isAdding = method === 'POST' && name.startsWith('create_') && !path.includes('{');
  const texts = [
    `${summary}.`,
    description,
    isWhole ? '' : `The fields are shown in part: ${DESCRIBE_TOOL.name} has all.`,
  ];
  const tool = {
    name,
    title: summary,
    description: texts.filter(Boolean).join(' '),
    inputSchema: schema,
    annotations: isReading
      ? { readOnlyHint: true }
      : { readOnlyHint: false, destructiveHint: !isAdding, idempotentHint: true },
  };
  return { tool: tool as Tool, isWhole };
}
