import type { Response } from 'express';

/** Of an answer that tells a new thing, or one that there was. @returns what is stored with its key */
export function noteStatus(response: Response, isNew: boolean): number {
  const status = isNew ? 201 : 200;
  response.status(status);
  return status;
}
