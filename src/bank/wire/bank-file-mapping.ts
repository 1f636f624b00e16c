import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import type { BankFileMapping } from '../domain/mappings/bank-file-mapping.js';
import { parametersOf } from './csv-hints.js';

export const BankFileMappingBody = answerShape('BankFileMappingBody', {
  id: z.string().meta({ example: 'bmap_01h455vb4pex5vsknk084sn02q' }),
  bank_account: z.string().describe('An IBAN, if the account has one.'),
  hints: z.record(z.string(), z.string()).meta({
    description: 'The parameters of an import that are kept.',
    example: { decimal: 'comma', column_direction: 'Sens' },
  }),
  header: z.array(z.string()).meta({
    description: 'The header of the file that it was told for.',
    example: ['Date', 'Montant', 'Sens'],
  }),
  told_at: z.string().meta({ format: 'date-time', description: 'When it was told.' }),
  told_by: z.string().nullable().meta({
    description: 'The API client that told it; null: the operator.',
    example: 'cli_01h455vb4pex5vsknk084sn02q',
  }),
});
export type BankFileMappingBody = z.output<typeof BankFileMappingBody>;

export const BankFileMappingPage = countedPage('BankFileMappingPage', BankFileMappingBody);
export type BankFileMappingPage = z.output<typeof BankFileMappingPage>;

export const ListBankFileMappingsQuery = listQuery(() => BankFileMappingBody);
export type ListBankFileMappingsQuery = z.output<typeof ListBankFileMappingsQuery>;

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
