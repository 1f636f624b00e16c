import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../kernel/domain-error.js';
import { uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { instantIn } from '../../platform/http/fields.js';
import { ApiProblems } from '../../platform/http/openapi.js';
import { Cursors, DEFAULT_PAGE_SIZE, type Page, toPage } from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { AuditQuery } from '../infrastructure/audit.query.js';
import { AuditEntryBody, AuditPage, ListAuditQuery, presentAuditEntry } from './audit.dto.js';

@ApiTags('audit')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly query: AuditQuery) {}

  @Get()
  @BearerAuth('audit:read')
  @ApiOperation({
    summary: 'Who changed what, newest first',
    description:
      'Changes of seller, customers, numbering, payment settings, clients and portal links, and ' +
      'what was refused. Of documents and payments, their history tells.',
    operationId: 'listAuditEntries',
  })
  @ApiOkResponse({ type: AuditPage })
  @ApiProblems('invalid_query', 'invalid_cursor')
  async list(
    @CallerOf() { accountId }: Caller,
    @Query() query: ListAuditQuery,
  ): Promise<Page<AuditEntryBody>> {
    const { limit = DEFAULT_PAGE_SIZE, cursor, from, to, ...rest } = query;
    const filter = { ...rest, from: instantIn(from), to: instantIn(to) };
    const cursors = new Cursors({ list: 'audit', filter }, []);
    const after = cursors.read(cursor)?.id ?? null;
    const entries = await this.query.list(accountId, filter, after, limit + 1);
    return toPage(entries, limit, ({ id }) => cursors.keyOf({ keys: [], id }), presentAuditEntry);
  }

  @Get(':id')
  @BearerAuth('audit:read')
  @ApiOperation({ summary: 'Read an audit entry', operationId: 'getAuditEntry' })
  @ApiOkResponse({ type: AuditEntryBody })
  @ApiProblems('audit_entry_not_found')
  async get(@CallerOf() { accountId }: Caller, @Param('id') id: string): Promise<AuditEntryBody> {
    const uuid = uuidOf('aud', id);
    const entry = uuid && (await this.query.find(accountId, uuid));
    if (entry) return presentAuditEntry(entry);
    throw DomainError.notFound('audit_entry_not_found', 'There is no such audit entry.');
  }
}
