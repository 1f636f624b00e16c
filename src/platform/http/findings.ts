import type { FieldError } from '../../kernel/domain-error.js';
import { MOST_ERRORS } from './problem.js';

/** Wrong fields, as many as an answer lists. */
export class Findings {
  readonly errors: FieldError[] = [];
  isCut = false;

  /** If it is full, a search for more may stop. */
  get isFull(): boolean {
    return this.isCut;
  }

  add(error: FieldError): void {
    if (this.errors.length < MOST_ERRORS) this.errors.push(error);
    else this.isCut = true;
  }
}
