import {
  type Archived,
  ArchivedParameter,
} from '../../../platform/http/validation/standard-fields.js';
import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../../kernel/ids.js';
import { SomeFieldsOf } from '../../../platform/http/validation/composed-bodies.js';
import {
  CurrencyCode,
  DecimalText,
  Flag,
  NestedList,
  Paragraph,
  Text,
} from '../../../platform/http/validation/fields.js';
import { Metadata } from '../../../platform/http/validation/list-fields.js';
import { MergePatchOf } from '../../../platform/http/validation/merge-patch.js';
import { CountedEnds, CountedQuery } from '../../../platform/http/paging.js';
import { TAX_CATEGORIES } from '../../domain/calculation/calculation-request.js';
import {
  type CatalogueItem,
  fieldsOfItem,
  type ItemChange,
  type NewItem,
  type SaidPrice,
} from '../../domain/catalogue/catalogue-item.js';
import type { ItemFilter } from '../../infrastructure/catalogue/catalogue-items.query.js';
import { LineDetailsBody } from '../document-details.dto.js';
import { LineRequestBody } from '../document.dto.js';
import { TaxRateId, taxRateIdIn } from './catalogue-ids.js';

const LONGEST_EXTERNAL_ID = 100;
const LONGEST_SKU = 100;

class ItemPriceRequest extends SomeFieldsOf(LineRequestBody, [
  'unit_amount',
  'unit_amount_decimal',
]) {
  @CurrencyCode()
  currency!: string;
}

/** They are of a line, and mean the same there. */
class CopiedFields extends SomeFieldsOf(LineRequestBody, [
  'sku',
  'unit',
  'tax_category',
  'tax_exemption_reason',
  'tax_exemption_code',
  'buyer_item_id',
  'standard_item_id',
  'classifications',
]) {}

export class CreateItemRequest extends CopiedFields {
  @Text({ max: 200, example: 'Consulting' })
  name!: string;

  @Paragraph({ max: 2000, optional: true, description: 'What lines say. Default: the name.' })
  description?: string;

  @Text({
    max: LONGEST_EXTERNAL_ID,
    optional: true,
    example: 'A-10023',
    description: 'The item’s id in your own books; no two items may have the same.',
  })
  external_id?: string;

  @NestedList(() => ItemPriceRequest, {
    min: 0,
    max: 100,
    optional: true,
    description: 'The price of one, at most one for each currency.',
  })
  prices?: ItemPriceRequest[];

  @Flag({
    optional: true,
    description: 'True if the prices include tax: then only such documents take them.',
  })
  prices_include_tax?: boolean;

  @TaxRateId({ description: 'The tax rate of its lines. Send this, or tax_rate and tax_category.' })
  tax_rate_id?: string;

  @DecimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    example: '19',
    description: 'In percent. Default: the item says nothing of tax.',
  })
  tax_rate?: string | number;

  @Metadata({ description: 'At most 50 keys of your own. Lines do not copy them.' })
  metadata?: Record<string, string>;
}

export class PatchItemRequest extends MergePatchOf(CreateItemRequest) {}

export class ListItemsQuery extends CountedQuery {
  @ArchivedParameter()
  archived?: Archived;

  @Text({ max: LONGEST_EXTERNAL_ID, optional: true })
  external_id?: string;

  @Text({ max: LONGEST_SKU, optional: true })
  sku?: string;

  @Text({
    max: 200,
    optional: true,
    description:
      'Finds items by the beginnings of words in name, description, SKU and external id. All ' +
      'words must be found; accents and capitals do not matter.',
    example: 'consult',
  })
  q?: string;
}

const NULLABLE_TEXT = { type: String, nullable: true } as const;

class ItemPriceBody {
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty({ example: '9500' }) unit_amount_decimal!: string;
}

export class ItemBody extends SomeFieldsOf(LineDetailsBody, [
  'buyer_item_id',
  'standard_item_id',
  'classifications',
  'tax_exemption_code',
]) {
  @ApiProperty({ example: 'prod_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() version!: number;
  @ApiProperty({ example: 'Consulting' }) name!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Null: lines say the name.' })
  description!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'A-10023' }) external_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Your number of it (BT-155).' })
  sku!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'HUR' }) unit!: string | null;
  @ApiProperty({ type: [ItemPriceBody] }) prices!: ItemPriceBody[];
  @ApiProperty() prices_include_tax!: boolean;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'txr_01h455vb4pex5vsknk084sn02q' })
  tax_rate_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: '19', description: 'Null where tax_rate_id is not.' })
  tax_rate!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, enum: [...TAX_CATEGORIES, null] }) tax_category!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why there is no tax (BT-120).' })
  tax_exemption_reason!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ ...NULLABLE_TEXT, format: 'date-time' }) archived_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

export class ItemPage extends CountedEnds {
  @ApiProperty({ type: [ItemBody] }) data!: ItemBody[];
}

export function toNewItem(body: CreateItemRequest): NewItem {
  return { ...toItemChange(body), name: body.name };
}

/** An absent field stays; null empties one. */
export function toItemChange(body: PatchItemRequest): ItemChange {
  const {
    external_id: externalId,
    prices,
    prices_include_tax: pricesIncludeTax,
    tax_rate_id: taxRateId,
    tax_rate: taxRate,
    tax_category: taxCategory,
    tax_exemption_reason: exemptionReason,
    tax_exemption_code: exemptionCode,
    buyer_item_id,
    standard_item_id,
    classifications,
    metadata,
    ...rest
  } = body;
  const lists = classifications?.map((one) => ({ ...one, version: one.version ?? null }));
  return said({
    ...rest,
    externalId,
    pricesIncludeTax: pricesIncludeTax === null ? false : pricesIncludeTax,
    prices: prices === null ? [] : prices?.map(toPrice),
    taxRateId: taxRateId && taxRateIdIn(taxRateId),
    taxRate: taxRate == null ? taxRate : String(taxRate),
    taxCategory,
    exemptionReason,
    exemptionCode,
    metadata: metadata === null ? {} : metadata,
    details: said({
      buyer_item_id,
      standard_item_id,
      classifications: classifications === undefined || lists?.length ? lists : null,
    }),
  });
}

/** Without what is absent. */
function said<Fields extends object>(fields: Fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

function toPrice({ currency, unit_amount, unit_amount_decimal }: ItemPriceRequest): SaidPrice {
  return {
    currency,
    ...(unit_amount != null && { unitAmountMinor: BigInt(unit_amount) }),
    ...(unit_amount_decimal != null && { unitAmountDecimal: unit_amount_decimal }),
  };
}

export function toItemFilter(query: ListItemsQuery): ItemFilter {
  const { archived = 'false', external_id: externalId, sku, q } = query;
  return said({
    archived: archived === 'all' ? undefined : archived === 'true',
    externalId,
    sku,
    q,
  });
}

export function presentItem(item: CatalogueItem): ItemBody {
  return {
    id: publicId('prod', item.id),
    version: item.version,
    ...fieldsOfItem(item),
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
  };
}
