import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { BankFileMappings } from '../application/bank-file-mappings.service.js';
import { BankFileMappingsQuery } from '../infrastructure/bank-file-mappings.query.js';
import {
  BankFileMappingBody,
  BankFileMappingPage,
  presentMapping,
  ListBankFileMappingsQuery,
} from '../wire/bank-file-mapping.js';
import { BankRefusal } from '../domain/refusals.js';

@ApiTags('bank statements')
@Controller('v1/finance/bank-file-mappings')
export class BankFileMappingsController {
  constructor(
    private readonly mappings: BankFileMappings,
    private readonly query: BankFileMappingsQuery,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List how files of bank accounts are read, newest first',
    description: 'One mapping for each bank account whose CSV files needed parameters.',
    answers: BankFileMappingPage,
  })
  async listBankFileMappings(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListBankFileMappingsQuery }) query: ListBankFileMappingsQuery,
  ) {
    return pageById({ list: 'bank-file-mappings' }, query, {
      rows: async (after, count) => this.query.list(accountId, after, count),
      present: presentMapping,
      total: async (most) => this.query.count(accountId, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read how files of a bank account are read',
    description: 'With the parameters that were told, the header of their file, and who told them.',
    answers: BankFileMappingBody,
    problems: [BankRefusal.bank_file_mapping_not_found],
  })
  async getBankFileMapping(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return presentMapping(await this.query.find(accountId, mappingId(id)));
  }

  @Delete(':id', 'payments:write', {
    summary: 'Forget how files of a bank account are read',
    description: 'Its next file is read as if nobody had told anything. Imported files stay.',
    answers: 'nothing',
    problems: [BankRefusal.bank_file_mapping_not_found],
  })
  async deleteBankFileMapping(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) => this.mappings.forget(byClient(caller), mappingId(id), guard),
    );
  }
}

function mappingId(text: string): Uuid {
  const id = uuidOf('bmap', text);
  if (!id) throw BankRefusal.bank_file_mapping_not_found.of();
  return id;
}
