import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { documentId, DocumentRefusal } from '../../documents/index.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { DocumentDunnings } from '../application/document-dunnings.service.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import {
  DocumentDunningBody,
  PatchDocumentDunningRequest,
  presentDocumentDunning,
} from '../wire/document-dunning.js';

/** Reminders of one document. */
@ApiTags('dunning')
@Controller('v1/finance/documents/:id/dunning')
export class DocumentDunningController {
  constructor(private readonly dunnings: DocumentDunnings) {}

  @Get('', 'documents:read', {
    summary: 'Read how far the reminders of an invoice are',
    description: 'The next step and its day, and why none is sent today.',
    answers: DocumentDunningBody,
    problems: [DocumentRefusal.document_not_found, DunningRefusal.document_not_dunned],
  })
  async getDocumentDunning(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return presentDocumentDunning(await this.dunnings.find(accountId, documentId(id)));
  }

  @Patch('', 'documents:write', {
    summary: 'Keep a promise to pay, or pause the reminders of an invoice',
    description:
      'The body is a JSON Merge Patch. Nobody is reminded until the promised day is over, or while it is paused.',
    example: { promised_until: '2026-12-15', note: 'Called on Monday.' },
    takes: 'mergePatch',
    answers: DocumentDunningBody,
    problems: [
      DocumentRefusal.document_not_found,
      DunningRefusal.document_not_dunned,
      DunningRefusal.promise_out_of_reach,
    ],
  })
  async updateDocumentDunning(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchDocumentDunningRequest }) body: PatchDocumentDunningRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentDocumentDunning, (guard) =>
      this.dunnings.say(byClient(caller), documentId(id), body, expected, guard),
    );
  }
}
