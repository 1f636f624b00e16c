import { Body, Controller, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  BatchResultsBody,
  MOST_IN_BATCH,
  BatchResultBody,
  CreateDocumentsRequest,
} from '../wire/document-batch.js';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { RateLimits } from '../../platform/http/limits/rate-limits.js';
import { answerTo } from '../../platform/http/problem.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import { StoredReply } from '../../platform/http/answers/stored-reply.js';
import { validated } from '../../platform/http/validation/validation.js';
import { ABOUT_THE_KEY, type Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Documents } from '../application/documents.service.js';
import { DocumentBody } from '../wire/document-body.js';
import { CreateDocumentRequest } from '../wire/document.js';
import { DOCUMENT_EXAMPLE } from './examples.js';
import { toNewDocument } from '../wire/parse-draft.js';
import { presentDocument } from '../wire/present-document.js';
import { assertMaySay } from './field-scopes.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const CREATED = 201;

interface Result {
  shown: BatchResultBody;
  isReplayed: boolean;
}

@ApiTags('documents')
@Controller('v1/finance/documents/batch')
export class DocumentBatchesController {
  constructor(
    private readonly documents: Documents,
    private readonly limits: RateLimits,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create up to 100 documents, each with its own result',
    example: { documents: [DOCUMENT_EXAMPLE] },
    description:
      'Each is made or refused by itself, as if it were sent alone, and counts as a request of its ' +
      'own. Send an `Idempotency-Key`: if the answer is lost, the same call makes only what is ' +
      'not there yet.',
    takes: 'document',
    answers: BatchResultsBody,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.invalid_list,
      FieldRefusal.too_few_items,
      FieldRefusal.too_many_items,
    ],
  })
  async createDocuments(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateDocumentsRequest }) { documents }: CreateDocumentsRequest,
    @OnceOnly() once: Once,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    this.limits.countMore(request, documents.length - 1);
    await once.assertSameParts(MOST_IN_BATCH);
    const results: Result[] = [];
    let outage: Result | undefined;
    for (const [index, wish] of documents.entries()) {
      // If the database is out of reach, all that follow would wait for it one after another.
      const result = outage ?? (await this.create(caller, wish, once.part(index), request));
      if (result.shown.status === 503) outage = result;
      results.push({ ...result, shown: inPlace(result.shown, index) });
    }
    const made = results.filter(({ shown }) => shown.document);
    if (made.length > 0 && made.every(({ isReplayed }) => isReplayed)) {
      response.setHeader('Idempotency-Replayed', 'true');
    }
    return { results: results.map(({ shown }) => shown) };
  }

  private async create(
    caller: Caller,
    wish: unknown,
    once: Once,
    request: ApiRequest,
  ): Promise<Result> {
    try {
      const document = await once.run(
        presentDocument,
        async (guard) => {
          const body = validated(CreateDocumentRequest, wish);
          assertMaySay(caller, body);
          return this.documents.create(byClient(caller), toNewDocument(body), guard);
        },
        () => CREATED,
      );
      return { shown: { status: CREATED, document }, isReplayed: false };
    } catch (error) {
      if (error instanceof StoredReply) return resultOf(error);
      if (error instanceof DomainError && ABOUT_THE_KEY.has(error.code)) throw error;
      const answer = answerTo(error, request, request.path);
      if (!answer) throw error;
      const { status, problem } = answer;
      return { shown: { status, problem }, isReplayed: false };
    }
  }
}

function resultOf({ status, body }: StoredReply): Result {
  const document = JSON.parse(body.toString()) as DocumentBody;
  return { shown: { status, document }, isReplayed: true };
}

/** Its pointers lead into the body that was sent. */
function inPlace({ problem, ...result }: BatchResultBody, index: number): BatchResultBody {
  if (!problem) return result;
  const moved = (error: FieldError) => ({
    ...error,
    pointer: `/documents/${index}${error.pointer}`,
  });
  const errors = problem.errors?.map(moved);
  return { ...result, problem: { ...problem, ...(errors && { errors }) } };
}
