import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { invalidParameter } from '../../platform/http/request-refusals.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { type Integrity, IntegrityQuery } from '../infrastructure/integrity.query.js';
import { IntegrityBody, IntegrityParameters } from '../wire/integrity.js';

@ApiTags('books')
@Controller('v1/finance/integrity')
export class IntegrityController {
  constructor(private readonly integrity: IntegrityQuery) {}

  @Get('', 'reports:read', {
    summary: 'Check the books: derive every balance again and verify the seals',
    description:
      'The answer is always 200; `differences` lists what does not agree. See docs/books.md.',
    answers: IntegrityBody,
  })
  async checkIntegrity(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: IntegrityParameters }) { sequence, digest }: IntegrityParameters,
  ) {
    const kept = keptSeal(accountId, sequence, digest);
    const [found, lost] = await Promise.all([
      this.integrity.differences(accountId),
      this.integrity.lostSeals(kept ? [kept] : []),
    ]);
    return {
      ...present(found),
      differences: [...found.differences, ...lost],
      contains_seal: kept && lost.length === 0,
    };
  }
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

function present({ checks, differences, sealed, unsealed }: Integrity) {
  return {
    checks,
    differences,
    sealed: sealed && {
      sequence: Number(sealed.sequence),
      digest: sealed.digest,
      through: Number(sealed.through),
      rows: Number(sealed.rows),
      sealed_at: sealed.sealedAt.toISOString(),
    },
    unsealed_rows: Number(unsealed),
  };
}
