import { Injectable } from '@nestjs/common';

/** The state for `/readyz`: `starting` while the demo is made, `stopping` while requests finish. */
@Injectable()
export class Readiness {
  state: 'starting' | 'ready' | 'stopping' = 'ready';
}
