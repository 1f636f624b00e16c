import type { ApiRequest } from '../../platform/http/request.js';

/** Programs that open links of messages ahead of people, or to show a preview. */
const PREVIEWS =
  /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slack|telegram|discord|skype|teams|safelinks|outlook|ms-office|google-safety|linkexpander|curl|wget|python|headless/i;

/**
 * Whether a person opens a page: a browser that goes there, and that does not do so ahead of time.
 * Browsers say so in the headers of Fetch Metadata; a page cannot set them (decision 128).
 */
export function isVisit({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers['purpose'] ?? ''}`;
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    !/prefetch|prerender|preview/i.test(purpose) &&
    !PREVIEWS.test(headers['user-agent'] ?? '')
  );
}
