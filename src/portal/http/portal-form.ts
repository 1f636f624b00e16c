import type { Response } from 'express';
import type { ApiRequest } from '../../platform/http/request.js';
import type { PortalQuery, Success } from '../wire/portal.js';
import { languageAsked, portalUrl } from './portal-language.js';

/** Sent by a form of a page, and not by a program. */
export function isForm(request: ApiRequest): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'));
}

/** A browser goes back to the page, which now shows the answer; a program gets JSON. */
export function answered(
  token: string,
  answer: NonNullable<PortalQuery['answered']>,
  request: ApiRequest,
  response: Response,
): Success | undefined {
  if (!isForm(request)) return { success: true };
  const page = portalUrl(token, '', languageAsked(request));
  response.redirect(303, `${page}${page.includes('?') ? '&' : '?'}answered=${answer}`);
  return undefined;
}
