import { Injectable } from '@nestjs/common';

/** Set on SIGTERM: `/readyz` then sends the load balancer elsewhere while requests finish. */
@Injectable()
export class Draining {
  started = false;
}
