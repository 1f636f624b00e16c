import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RemoteService } from '../remote/remote-service.js';
import { toolName } from './service-operations.js';
import { jsonResult, resultOf } from './tool-answers.js';
import type { ToolChoice } from './tool-choice.js';
import { BadArguments, toolRequest, type ToolArguments } from './tool-requests.js';

/** The operations that are an action of a document. A client accepts and rejects on its own page. */
export const OPERATIONS_OF_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  edit: ['updateDocument'],
  delete: ['deleteDocument'],
  issue: ['issueDocument'],
  accept: ['createPortalToken'],
  reject: ['createPortalToken'],
  pay: ['recordPayment', 'createPaymentLink', 'collectDocument'],
  credit: ['createCreditNote'],
  write_off: ['writeOffDocument'],
  reverse_write_off: ['reverseWriteOff'],
  claim_tax_relief: ['claimTaxRelief'],
  void: ['voidDocument'],
  convert: ['convertDocument'],
  revise: ['reviseDocument'],
  duplicate: ['duplicateDocument'],
};
const DOCUMENT = 'get_document';
const DUNNING = 'get_document_dunning';

export const AVAILABLE_ACTIONS = {
  name: 'available_actions',
  title: 'What may be done, and why not',
  description:
    'Of a document: which steps its state allows and which not, with the reason and the way out; which tools take ' +
    'them, and why a tool is not here; and why no reminder is sent today. Without `id`: the tools that are not ' +
    'here, and why. Ask before you change a document.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      id: { type: 'string', description: 'Of a document, doc_...', examples: ['doc_01h455...'] },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

interface ShownDocument {
  id: string;
  kind: string;
  number: string | null;
  status: string;
  currency: string;
  amount_due: number;
  available_actions: { action: string }[];
}

/** @throws BadArguments, RemoteSilent, RemoteRefused */
export async function availableActions(
  service: RemoteService,
  choice: ToolChoice,
  given: ToolArguments,
): Promise<CallToolResult> {
  const strange = Object.keys(given).find((name) => name !== 'id');
  if (strange !== undefined) {
    throw new BadArguments('unknown_argument', `${strange}: unknown; available_actions takes id.`);
  }
  if (given['id'] === undefined) return jsonResult({ tools_that_are_not_here: choice.absent });
  const read = choice.find(DOCUMENT);
  if (!read) throw new BadArguments('unknown_tool', `${DOCUMENT} is no operation of this service.`);
  const request = toolRequest(read, given);
  const answer = await service.answer(request);
  if (answer.status !== 200) return resultOf(answer, { uri: `${service.url}${request.path}` });
  const document = JSON.parse(answer.bytes.toString()) as ShownDocument;
  const { id, kind, number, status, currency, amount_due, available_actions: actions } = document;
  const usable = (operationId: string) => {
    const tool = toolName(operationId);
    if (!choice.find(tool)) return [];
    const reason = choice.whyNot(tool);
    return reason === null ? { tool } : { tool, not_here: `${tool} ${reason}` };
  };
  return jsonResult({
    document: { id, kind, number, status, currency, amount_due },
    actions: actions.map((one) => ({
      ...one,
      ...(['accept', 'reject'].includes(one.action) && { by: 'the client, with a portal link' }),
      tools: (OPERATIONS_OF_ACTIONS[one.action] ?? []).flatMap(usable),
    })),
    sending: { tools: ['sendDocument'].flatMap(usable) },
    reminders: await dunningOf(service, choice, given),
  });
}

/** The next step of the plan, or the reason that there is none. */
async function dunningOf(
  service: RemoteService,
  choice: ToolChoice,
  given: ToolArguments,
): Promise<unknown> {
  const read = choice.find(DUNNING);
  if (!read) return null;
  const { status, bytes } = await service.answer(toolRequest(read, given));
  const told = JSON.parse(bytes.toString()) as { code?: string; detail?: string };
  return status === 200 ? told : { code: told.code, reason: told.detail };
}
