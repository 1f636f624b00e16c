import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { aDraft, attach, attached, attachLink } from '../documents/attachment-calls.js';
import { pathOf } from '../documents/document-calls.js';

type Act = () => Promise<Answer<unknown>>;

/** The writing calls of attachments, each with all that it needs first. */
export function attachmentWrites(client: () => TestClient): Record<string, () => Promise<Act>> {
  const path = '/v1/finance/documents/:id/attachments';
  return {
    [`POST ${path}`]: async () => {
      const draft = await aDraft(client());
      return () => attach(client(), draft);
    },
    [`POST ${path}/links`]: async () => {
      const draft = await aDraft(client());
      return () => attachLink(client(), draft);
    },
    [`DELETE ${path}/:attachment_id`]: async () => {
      const draft = await aDraft(client());
      const { id } = await attached(client(), draft);
      return () => client().delete(pathOf(draft, `attachments/${id}`));
    },
  };
}
