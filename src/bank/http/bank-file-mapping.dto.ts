import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { CountedEnds } from '../../platform/http/paging.js';
import type { BankFileMapping } from '../domain/mappings/bank-file-mapping.js';
import { parametersOf } from './csv-hints.dto.js';

export class BankFileMappingBody {
  @ApiProperty({ example: 'bmap_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ description: 'An IBAN, if the account has one.' }) bank_account!: string;
  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'string' },
    description: 'The parameters of an import that are kept.',
    example: { decimal: 'comma', column_direction: 'Sens' },
  })
  hints!: Record<string, string>;
  @ApiProperty({
    type: [String],
    description: 'The header of the file that it was told for.',
    example: ['Date', 'Montant', 'Sens'],
  })
  header!: string[];
  @ApiProperty({ format: 'date-time', description: 'When it was told.' }) told_at!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The API client that told it; null: the operator.',
    example: 'cli_01h455vb4pex5vsknk084sn02q',
  })
  told_by!: string | null;
}

export class BankFileMappingPage extends CountedEnds {
  @ApiProperty({ type: [BankFileMappingBody] }) data!: BankFileMappingBody[];
}

export function presentMapping(mapping: BankFileMapping): BankFileMappingBody {
  return {
    id: publicId('bmap', mapping.id),
    bank_account: mapping.bankAccount,
    hints: parametersOf(mapping.hints),
    header: [...mapping.header],
    told_at: mapping.toldAt.toISOString(),
    told_by: mapping.clientId && publicId('cli', mapping.clientId),
  };
}
