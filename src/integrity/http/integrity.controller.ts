import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { noteStatus } from '../../platform/http/answers/put-status.js';
import { invalidParameter } from '../../platform/http/request-refusals.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { type AskedFor, IntegrityRuns } from '../application/integrity-runs.service.js';
import { IntegrityRefusal } from '../domain/integrity-refusals.js';
import type { RunStep } from '../domain/integrity-run.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { IntegrityQuery } from '../infrastructure/integrity.query.js';
import {
  IntegrityBody,
  IntegrityParameters,
  IntegrityRunBody,
  presentIntegrity,
  presentIntegrityRun,
  StartIntegrityRunRequest,
} from '../wire/integrity.js';

const STEP_PROBLEMS = [
  IntegrityRefusal.integrity_run_not_found,
  IntegrityRefusal.integrity_run_ended,
];

@ApiTags('books')
@Controller('v1/finance/integrity')
export class IntegrityController {
  constructor(
    private readonly integrity: IntegrityQuery,
    private readonly runs: IntegrityRuns,
  ) {}

  @Get('', 'reports:read', {
    summary: 'Read what the last check of the books found',
    description:
      'Each check derives every balance again and verifies the seals; `differences` lists what does not agree, and the answer is 200. Start one with POST /v1/finance/integrity/runs. See docs/books.md.',
    answers: IntegrityBody,
    problems: [IntegrityRefusal.books_not_checked],
  })
  async getIntegrity(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: IntegrityParameters }) { sequence, digest }: IntegrityParameters,
  ) {
    const kept = keptSeal(accountId, sequence, digest);
    const [last, standing, lost] = await Promise.all([
      this.runs.last(accountId),
      this.integrity.standing(accountId),
      this.integrity.lostSeals(kept ? [kept] : []),
    ]);
    const found = presentIntegrity(last, standing);
    return {
      ...found,
      differences: [...found.differences, ...lost],
      difference_count: found.difference_count + lost.length,
      contains_seal: kept && lost.length === 0,
    };
  }

  @Post('runs', 'reports:read', {
    summary: 'Start a check of the books',
    description:
      'It goes on by itself, with `checks_done` of `checks`. It looks at what is new, and at a share of what was checked before; the first one, one after differences, and one with `full` look at all. During a check of the account this answers 200 with that one.',
    example: {},
    puts: IntegrityRunBody,
    at: 'finance/integrity/runs/{id}',
  })
  async startIntegrityRun(
    @CallerOf() caller: Caller,
    @Body({ schema: StartIntegrityRunRequest }) { full }: StartIntegrityRunRequest,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ) {
    return once.run(
      ({ run }: AskedFor) => presentIntegrityRun(run),
      (guard) => this.runs.request(byClient(caller), full ?? false, guard),
      ({ isNew }) => noteStatus(response, isNew),
    );
  }

  @Get('runs/:id', 'reports:read', {
    summary: 'Read a check of the books',
    description: 'How far it has come, and what it has found by now.',
    answers: IntegrityRunBody,
    problems: [IntegrityRefusal.integrity_run_not_found],
  })
  async getIntegrityRun(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return presentIntegrityRun(await this.runs.read(accountId, runId(id)));
  }

  @Post('runs/:id/pause', 'reports:read', {
    summary: 'Pause a check of the books',
    description: 'The single check that is being made is the last one until it is resumed.',
    answers: IntegrityRunBody,
    problems: STEP_PROBLEMS,
  })
  async pauseIntegrityRun(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return this.take('pause', caller, id, once);
  }

  @Post('runs/:id/resume', 'reports:read', {
    summary: 'Go on with a check of the books',
    description: 'Behind the single checks that are done.',
    answers: IntegrityRunBody,
    problems: STEP_PROBLEMS,
  })
  async resumeIntegrityRun(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return this.take('resume', caller, id, once);
  }

  @Post('runs/:id/cancel', 'reports:read', {
    summary: 'Cancel a check of the books',
    description: 'What it has found stays readable; it says nothing of the books.',
    answers: IntegrityRunBody,
    problems: STEP_PROBLEMS,
  })
  async cancelIntegrityRun(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return this.take('cancel', caller, id, once);
  }

  private async take(step: RunStep, caller: Caller, id: string, once: Once) {
    return once.run(presentIntegrityRun, (guard) =>
      this.runs.step(byClient(caller), runId(id), step, guard),
    );
  }
}

function runId(text: string): Uuid {
  const id = uuidOf('chk', text);
  if (!id) throw IntegrityRefusal.integrity_run_not_found.of();
  return id;
}

function keptSeal(accountId: string, sequence?: number, digest?: string): KeptSeal | null {
  if (sequence === undefined && digest === undefined) return null;
  if (sequence !== undefined && digest !== undefined) {
    return { accountId, sequence: BigInt(sequence), digest };
  }
  throw invalidParameter(
    sequence === undefined ? 'sequence' : 'digest',
    'sequence and digest belong together; send both.',
  );
}
