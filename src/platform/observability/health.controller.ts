import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import { DatabaseProbe } from '../database/database-probe.js';
import { Public } from '../http/access.js';
import { ApiProblems } from '../http/openapi.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

@ApiTags('operations')
@Controller()
export class HealthController {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
  ) {}

  @Get('livez')
  @Public()
  @ApiOperation({ summary: 'The process answers', operationId: 'livez' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @ApiOperation({ summary: 'The service can do its work now', operationId: 'readyz' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  @ApiProblems('starting', 'draining', 'database_unavailable', 'database_read_only')
  async ready(): Promise<{ status: string }> {
    if (this.readiness.state === 'stopping') {
      throw DomainError.unavailable('draining', 'This process is stopping; ask another one.', 5);
    }
    if (this.readiness.state === 'starting') {
      throw DomainError.unavailable('starting', 'This process is starting; ask again.', 1);
    }
    await this.database.check();
    return { status: 'ok' };
  }

  @Get('metrics')
  @Public()
  @ApiOperation({ summary: 'Prometheus metrics', operationId: 'metrics' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @Header('Cache-Control', 'no-store')
  async exposition(@Res() response: Response): Promise<void> {
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}
