import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import type { TestService } from '../../support/service.js';

type Act = () => Promise<Answer<unknown>>;

/** The writing calls of mail, each with all that it needs first. */
export function mailWrites(
  service: () => TestService,
  client: () => TestClient,
): Record<string, () => Promise<Act>> {
  const sending = async (): Promise<Act> => {
    const { id } = await client().anInvoice();
    return async () => client().post(`/v1/finance/documents/${id}/send`);
  };
  return {
    'POST /v1/finance/documents/:id/send': sending,
    'POST /v1/finance/messages/:id/retry': async () => {
      const { body } = (await (await sending())()) as Answer<{ id: string }>;
      await service().database.query(
        `UPDATE mail_messages SET status = 'failed', next_attempt_at = NULL, settled_at = now()
         WHERE message_id = $1`,
        [uuidOf('msg', body.id)],
      );
      return () => client().post(`/v1/finance/messages/${body.id}/retry`);
    },
    'PATCH /v1/finance/mail-settings': async () => {
      return () => client().patch('/v1/finance/mail-settings', { send_receipts: true });
    },
  };
}
