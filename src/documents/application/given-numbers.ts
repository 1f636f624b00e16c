import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { LastNoted } from '../../platform/last-noted.js';
import type { GivenNumber } from '../infrastructure/lost-numbers.query.js';

/** As many as a busy process gives in a minute. */
const MOST = 20_000;

/** The last numbers that this process was told are stored. */
@Injectable()
export class GivenNumbers {
  private readonly numbers = new LastNoted<GivenNumber>(MOST);

  note(number: GivenNumber): void {
    this.numbers.note(number);
  }

  last(): GivenNumber[] {
    return this.numbers.last();
  }

  /** They are on other documents, which was told. */
  forget(again: ReadonlySet<Uuid>): void {
    this.numbers.forget(({ documentId }) => again.has(documentId));
  }
}
