import { z } from 'zod';
import { EVENTS } from '../../src/feed/wire/event-types.js';

const INTRODUCTION = `# Events

<!-- Written by \`npm run events\`, from the definitions by which the service writes its events. -->

Whatever happens is one event, written in the transaction in which it happens, and never changed.
\`GET /v1/finance/documents/{id}/history\` shows those of a document. An event with \`document\` is a step
in the history of that document, shown as it was then; \`previous_status\` is its status before.

Amounts are integers in the minor unit of the currency, times are UTC (RFC 3339). Types and fields may
be added: let pass what you do not know.

| type | what happened | \`data\` |
| --- | --- | --- |
`;

const SCHEMA = `
## What \`data\` are

One JSON Schema (draft 2020-12); the \`data\` of a type are as \`$defs\` has them under the name above.

`;

/** The text of docs/events.md. */
export function eventsPage(): string {
  const $defs: Record<string, unknown> = {};
  const rows = Object.entries(EVENTS).map(([type, { when, data }]) => {
    const { id = '' } = data.meta() ?? {};
    // As read, not as written: what is added later is let pass.
    Object.assign($defs, z.toJSONSchema(data, { io: 'input' }).$defs);
    return `| \`${type}\` | ${when} | \`${id}\` |\n`;
  });
  const sorted = Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1)));
  const schema = JSON.stringify({ $defs: sorted }, null, 2);
  return `${INTRODUCTION}${rows.join('')}${SCHEMA}\`\`\`json\n${schema}\n\`\`\`\n`;
}
