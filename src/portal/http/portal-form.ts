import type { ApiRequest } from '../../platform/http/request.js';

/** Sent by a form of a page, and not by a program. */
export function isForm(request: ApiRequest): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'));
}
