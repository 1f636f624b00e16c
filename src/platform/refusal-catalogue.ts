import type { DomainError } from '../kernel/domain-error.js';
import type { AnyRefusal } from './http/problem.js';

/** The refusals of all modules. The app collects them, and the platform names none of a module. */
export class RefusalCatalogue {
  constructor(
    readonly all: readonly AnyRefusal[],
    /** Answers to callers who guess, forge, or look for what is not there. */
    readonly failures: readonly AnyRefusal[],
    /** Of keys and checks of the database that a caller can break. */
    readonly ofKeys: Readonly<Record<string, () => DomainError>>,
  ) {}

  with(more: readonly AnyRefusal[]): RefusalCatalogue {
    return new RefusalCatalogue([...this.all, ...more], this.failures, this.ofKeys);
  }
}
