import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';

/** The UUID in a path. @throws DomainError `webhook_endpoint_not_found` for any other text */
export function endpointId(text: string): Uuid {
  const id = uuidOf('whep', text);
  if (!id) throw EndpointRefusal.webhook_endpoint_not_found.of();
  return id;
}
