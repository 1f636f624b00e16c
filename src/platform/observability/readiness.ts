import { Injectable } from '@nestjs/common';

/** What `/readyz` says: `starting` while the demo is made, `stopping` while requests finish. */
@Injectable()
export class Readiness {
  state: 'starting' | 'ready' | 'stopping' = 'ready';
}
