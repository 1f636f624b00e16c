import type { By } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import type { Caller } from '../../platform/http/request.js';

/** An API client acts in its account. */
export function byClient({ accountId, clientId }: Caller): By {
  return { accountId, actor: { type: 'client', id: publicId('cli', clientId) } };
}
