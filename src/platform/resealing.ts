import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from './config/config.js';
import { Log } from './observability/log.js';

interface Sealed {
  what: string;
  /** Encrypts under the newest secret all that an older one did. @returns how many that were */
  reseal: () => Promise<number>;
}

/** At the start, what an older secret encrypted is encrypted anew, so that it can be dropped. */
@Injectable()
export class Resealing implements OnApplicationBootstrap {
  private readonly all: Sealed[] = [];

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  add(sealed: Sealed): void {
    this.all.push(sealed);
  }

  /** One that fails does not keep the others, nor the start. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.doesJobs || this.config.secrets.length < 2) return;
    for (const { what, reseal } of this.all) {
      try {
        const count = await reseal();
        if (count > 0) this.log.info({ count }, `${what} have the newest secret`);
      } catch (error) {
        this.log.warn({ error }, `${what} keep an older secret`);
      }
    }
  }
}
