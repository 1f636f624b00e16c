import type { FieldError } from '../../../kernel/domain-error.js';
import { MOST_ERRORS } from '../problem.js';

/** The wrong fields that were found, as many as an answer lists. */
export class Findings {
  readonly errors: FieldError[] = [];
  isCut = false;

  /** True if nobody needs to look for more. */
  get isFull(): boolean {
    return this.isCut;
  }

  add(error: FieldError): void {
    if (this.errors.length < MOST_ERRORS) this.errors.push(error);
    else this.isCut = true;
  }
}
