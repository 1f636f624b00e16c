import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { ApiTags } from '@nestjs/swagger';
import { DatabaseProbe } from '../database/database-probe.js';
import { Get } from '../http/route.js';
import { answerShape } from '../http/validation/shapes.js';
import { Config } from '../config/config.js';
import { Readiness } from './readiness.js';
import { RequestRefusal } from '../http/request-refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

const ReadyBody = answerShape('ReadyBody', {
  status: z.string().meta({ example: 'ok' }),
  read_only: z.boolean().optional().describe('True where the service only reads; else absent.'),
});
type ReadyBody = z.output<typeof ReadyBody>;

@ApiTags('operations')
@Controller()
export class HealthController {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly readiness: Readiness,
    private readonly config: Config,
  ) {}

  @Get('livez', 'public', {
    summary: 'Tell whether the process answers',
    description:
      'A supervisor restarts a process that does not answer this. It does not look at the database.',
    answers: { example: { status: 'ok' } },
  })
  livez() {
    return { status: 'ok' };
  }

  @Get('readyz', 'public', {
    summary: 'Tell whether the service can do its work now',
    description:
      'It is 503 while the service starts or shuts down, and while the database takes no writes. Of a service that only reads, the answer says so: `read_only`.',
    answers: ReadyBody,
    problems: [
      RequestRefusal.starting,
      RequestRefusal.draining,
      CommonRefusal.database_unavailable,
      CommonRefusal.database_read_only,
    ],
  })
  async readyz(): Promise<ReadyBody> {
    if (this.readiness.state === 'stopping') {
      throw RequestRefusal.draining.later(5);
    }
    if (this.readiness.state === 'starting') {
      throw RequestRefusal.starting.later();
    }
    await this.database.check();
    return { status: 'ok', ...(this.config.readOnly && { read_only: true }) };
  }
}
