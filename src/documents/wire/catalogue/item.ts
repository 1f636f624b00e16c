import { z } from 'zod';
import {
  answerShape,
  patchOf,
  queryShape,
  requestShape,
  some,
} from '../../../platform/http/validation/shapes.js';
import { archivedParameter } from '../archived.js';
import { publicId } from '../../../kernel/ids.js';
import { decimalText, flag, nestedList } from '../../../platform/http/validation/fields.js';
import {
  currencyCode,
  paragraph,
  shortText,
} from '../../../platform/http/validation/text-fields.js';
import { metadata } from '../../../platform/http/validation/list-fields.js';
import { countedPage, listQuery } from '../../../platform/http/paging.js';
import { TAX_CATEGORIES } from '../../domain/calculation/tax-categories.js';
import {
  type CatalogueItem,
  fieldsOfItem,
  type ItemChange,
  type NewItem,
  type SaidPrice,
} from '../../domain/catalogue/catalogue-item.js';
import type { ItemFilter } from '../../infrastructure/catalogue/catalogue-items.query.js';
import { LineDetailsBody } from '../document-details.js';
import { LineFields } from '../document.js';
import { taxRateId, taxRateIdIn } from './catalogue-ids.js';

const LONGEST_EXTERNAL_ID = 100;
const LONGEST_SKU = 100;

const ItemPriceRequest = requestShape('ItemPriceRequest', {
  ...some(LineFields.shape, ['unit_amount', 'unit_amount_decimal']),
  currency: currencyCode(),
});
type ItemPriceRequest = z.output<typeof ItemPriceRequest>;

const ITEM_DETAILS = ['country_of_origin', 'attributes'] as const;

/** They are of a line, and mean the same there. */
const CopiedFields = answerShape(
  'CopiedFields',
  some(LineFields.shape, [
    'sku',
    'unit',
    'tax_category',
    'tax_exemption_reason',
    'tax_exemption_code',
    'buyer_item_id',
    'standard_item_id',
    'classifications',
    ...ITEM_DETAILS,
  ]),
);
type CopiedFields = z.output<typeof CopiedFields>;

export const CreateItemRequest = requestShape('CreateItemRequest', {
  ...CopiedFields.shape,
  name: shortText({ max: 200, example: 'Consulting' }),
  description: paragraph({
    max: 2000,
    optional: true,
    description: 'What lines say. Default: the name.',
  }),
  external_id: shortText({
    max: LONGEST_EXTERNAL_ID,
    optional: true,
    example: 'A-10023',
    description: 'The item’s id in your own books; no two items may have the same.',
  }),
  prices: nestedList(() => ItemPriceRequest, {
    min: 0,
    max: 100,
    optional: true,
    description: 'The price of one, at most one for each currency.',
  }),
  prices_include_tax: flag({
    optional: true,
    description: 'True if the prices include tax: then only such documents take them.',
  }),
  tax_rate_id: taxRateId({
    description: 'The tax rate of its lines. Send this, or tax_rate and tax_category.',
  }),
  tax_rate: decimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    example: '19',
    description: 'In percent. Default: the item says nothing of tax.',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own. Lines do not copy them.' }),
});
export type CreateItemRequest = z.output<typeof CreateItemRequest>;

export const PatchItemRequest = requestShape('PatchItemRequest', patchOf(CreateItemRequest.shape));
export type PatchItemRequest = z.output<typeof PatchItemRequest>;

export const ListItemsQuery = queryShape({
  ...listQuery(() => ItemBody).shape,
  archived: archivedParameter(),
  external_id: shortText({ max: LONGEST_EXTERNAL_ID, optional: true }),
  sku: shortText({ max: LONGEST_SKU, optional: true }),
  q: shortText({
    max: 200,
    optional: true,
    description:
      'Finds items by the beginnings of words in name, description, SKU and external id. All ' +
      'words must be found; accents and capitals do not matter.',
    example: 'consult',
  }),
});
export type ListItemsQuery = z.output<typeof ListItemsQuery>;

const ItemPriceBody = answerShape('ItemPriceBody', {
  currency: z.string().meta({ example: 'EUR' }),
  unit_amount_decimal: z.string().meta({ example: '9500' }),
});
type ItemPriceBody = z.output<typeof ItemPriceBody>;

export const ItemBody = answerShape('ItemBody', {
  ...some(LineDetailsBody.shape, [
    'buyer_item_id',
    'standard_item_id',
    'classifications',
    'tax_exemption_code',
    ...ITEM_DETAILS,
  ]),
  id: z.string().meta({ example: 'prod_01h455vb4pex5vsknk084sn02q' }),
  version: z.number(),
  name: z.string().meta({ example: 'Consulting' }),
  description: z.string().nullable().describe('Null: lines say the name.'),
  external_id: z.string().nullable().meta({ example: 'A-10023' }),
  sku: z.string().nullable().describe('Your number of it (BT-155).'),
  unit: z.string().nullable().meta({ example: 'HUR' }),
  prices: z.array(ItemPriceBody),
  prices_include_tax: z.boolean(),
  tax_rate_id: z.string().nullable().meta({ example: 'txr_01h455vb4pex5vsknk084sn02q' }),
  tax_rate: z
    .string()
    .nullable()
    .meta({ example: '19', description: 'Null where tax_rate_id is not.' }),
  tax_category: z
    .string()
    .nullable()
    .meta({ enum: [...TAX_CATEGORIES, null] }),
  tax_exemption_reason: z.string().nullable().describe('Why there is no tax (BT-120).'),
  metadata: z.record(z.string(), z.string()),
  archived_at: z.string().nullable().meta({ format: 'date-time' }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type ItemBody = z.output<typeof ItemBody>;

export const ItemPage = countedPage('ItemPage', ItemBody);
export type ItemPage = z.output<typeof ItemPage>;

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
    country_of_origin,
    attributes,
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
      country_of_origin,
      attributes,
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
