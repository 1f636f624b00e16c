import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { uuidOf } from '../../kernel/ids.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { pageById } from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { AuditQuery } from '../infrastructure/audit.query.js';
import { AuditEntryBody, AuditPage, ListAuditQuery, presentAuditEntry } from '../wire/audit.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

@ApiTags('audit')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly query: AuditQuery) {}

  @Get('', 'audit:read', {
    summary: 'List audit entries, newest first',
    description:
      'An entry says who changed the seller, customers, numbering, payment settings, clients ' +
      'or portal links, or what was refused. The history of a document says what happened to ' +
      'it and its payments.',
    answers: AuditPage,
  })
  async listAuditEntries(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListAuditQuery }) query: ListAuditQuery,
  ) {
    const { from, to, action, actor, subject, address } = query;
    const range = { from: instantIn(from), to: instantIn(to) };
    const filter = { action, actor, subject, address, ...range };
    return pageById({ list: 'audit', filter }, query, {
      rows: async (after, count) => this.query.list(accountId, filter, after, count),
      present: presentAuditEntry,
      total: async (most) => this.query.count(accountId, filter, most),
    });
  }

  @Get(':id', 'audit:read', {
    summary: 'Read an audit entry',
    description:
      'With the fields that changed, before and after, or the code with which it was refused.',
    answers: AuditEntryBody,
    problems: [AuthRefusal.audit_entry_not_found],
  })
  async getAuditEntry(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    const uuid = uuidOf('aud', id);
    const entry = uuid && (await this.query.find(accountId, uuid));
    if (entry) return presentAuditEntry(entry);
    throw AuthRefusal.audit_entry_not_found.of();
  }
}
