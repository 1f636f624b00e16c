import type { OpenAPIObject } from '@nestjs/swagger';

/** Parts of the API by what somebody wants to do; those of extensions come after them. */
const TASKS = {
  'Set up': ['auth', 'seller', 'numbering', 'clients', 'trying'],
  'Bill customers': ['customers', 'catalogue', 'documents', 'schedules', 'portal', 'mail'],
  'Be paid': ['payments', 'payment links', 'gateways', 'mandates', 'dunning'],
  'Give back': ['refunds', 'disputes'],
  'Match money': ['bank statements', 'payouts', 'unmatched receipts', 'unmatched items'],
  'Follow what happens': ['events', 'webhook endpoints', 'webhooks', 'gateway events'],
  'Keep the books': ['reports', 'books', 'audit', 'operations'],
};

type Answers = Record<string, { $ref?: string; description?: string }>;

export interface DescribedOperation {
  summary?: string;
  tags?: string[];
  responses?: Answers;
}

/** A list of codes, or one in a sentence. */
const CODES = /(?<=^|, |`)\w+(?=$|, |`)/g;

export const problemPath = (code: string) => `/docs/problems/${code}`;

/**
 * The API as its page shows it: guides first, calls by task, and all refusals of a call in one
 * answer, from which a link leads to each.
 */
export function referenceDocument(api: OpenAPIObject, guides: string): OpenAPIObject {
  const grouped = new Set(Object.values(TASKS).flat());
  const others = (api.tags ?? []).map(({ name }) => name).filter((name) => !grouped.has(name));
  const groups = Object.entries({ ...TASKS, ...(others.length > 0 && { Extensions: others }) });
  return {
    ...api,
    info: { ...api.info, description: `${api.info.description}\n\n${guides}` },
    paths: Object.fromEntries(
      Object.entries(api.paths)
        .toSorted(([one], [other]) => depth(one) - depth(other))
        .map(([path, item]) => [path, folded(item, api)]),
    ),
    'x-tagGroups': groups.map(([name, tags]) => ({ name, tags })),
  } as OpenAPIObject;
}

/** The codes that an operation may answer. */
export function refusalsIn(
  answers: Answers = {},
  { components }: OpenAPIObject,
): { status: string; codes: string[] }[] {
  const shared = (components?.responses ?? {}) as Answers;
  return Object.entries(answers)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { $ref, description }]) => {
      const told = $ref ? shared[$ref.split('/').at(-1) ?? '']?.description : description;
      return { status, codes: told?.match(CODES) ?? [] };
    });
}

/** A call that makes a thing comes before one that reads it. */
const makes = ([method]: [string, unknown]) => Number(method === 'post');

/** All of a kind come before one of them, and one before its parts. */
const depth = (path: string) => path.split('/').length;

function folded(item: object, api: OpenAPIObject): object {
  const operations = Object.entries(item as Record<string, DescribedOperation>);
  const inOrder = operations.toSorted((one, other) => makes(other) - makes(one));
  return Object.fromEntries(
    inOrder.map(([method, { responses, ...operation }]) => [
      method,
      { ...operation, responses: { ...kept(responses), ...oneAnswer(responses, api) } },
    ]),
  );
}

function kept(answers: Answers = {}): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([status]) => Number(status) < 400));
}

function oneAnswer(answers: Answers | undefined, api: OpenAPIObject): object {
  const lines = refusalsIn(answers, api).map(({ status, codes }) => {
    const links = codes.map((code) => `[\`${code}\`](${problemPath(code)})`);
    return `- **${status}** ${links.join(', ')}`;
  });
  const schema = { $ref: '#/components/schemas/Problem' };
  const content = { 'application/problem+json': { schema } };
  return lines.length > 0 ? { default: { description: lines.join('\n'), content } } : {};
}
