import { Injectable } from '@nestjs/common';
import type { Problem } from './problem.js';
import type { ApiRequest } from './request.js';

/** A page in place of a problem document, with the policy that it needs. */
export interface RefusalPage {
  html: string;
  contentSecurityPolicy: string;
}

type PageMaker = (request: ApiRequest, problem: Problem) => RefusalPage | null;

/**
 * The pages that a browser gets where a program gets problem+json. A module that has pages makes
 * them, from the request alone: there may be no database to ask.
 */
@Injectable()
export class RefusalPages {
  private make: PageMaker = () => null;

  use(make: PageMaker): void {
    this.make = make;
  }

  of(request: ApiRequest, problem: Problem): RefusalPage | null {
    return this.make(request, problem);
  }
}
