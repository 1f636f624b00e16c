import { isSpoken } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { PortalView } from '../application/portal-documents.js';

/** A page in the language that its reader chose; null is that of the document or the browser. */
export type SpokenPortal<Page extends PortalView = PortalView> = Page & { asked: string | null };

/** BCP 47, of the query of a page; null where none is asked for. */
export function languageAsked({ query }: Pick<ApiRequest, 'query'>): string | null {
  const { language } = query;
  return typeof language === 'string' && isSpoken(language) ? language : null;
}

/**
 * The document in the language of its page: the one chosen there, else its own, else the first of
 * the browser's that we speak.
 */
export function inLanguageOf<Page extends PortalView>(
  request: ApiRequest,
  portal: Page,
): SpokenPortal<Page> {
  const asked = languageAsked(request);
  const own = portal.view.language;
  const spoken = own !== null && isSpoken(own) ? own : browserLanguage(request);
  const language = asked ?? spoken;
  return { ...portal, view: { ...portal.view, language }, asked };
}

/** Of a page that is about no document: the language chosen there, else the browser's. */
export function pageLanguage(request: ApiRequest): string | null {
  return languageAsked(request) ?? browserLanguage(request);
}

/** The first of the browser's languages that we speak. */
export function browserLanguage(request: ApiRequest): string | null {
  return request.acceptsLanguages().find((tag) => isTag(tag) && isSpoken(tag)) ?? null;
}

/** @param step `/accept`, or nothing for the page itself */
export function portalUrl(token: string, step: string, asked: string | null): string {
  const query = asked === null ? '' : `?language=${encodeURIComponent(asked)}`;
  return `/v1/portal/${token}${step}${query}`;
}

/** A browser may send anything, and `*` for any language. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
