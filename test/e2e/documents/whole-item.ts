/** An item of the catalogue with every field, as it is read. */
export const WHOLE_ITEM = {
  name: 'Consulting',
  description: 'Consulting by the hour',
  external_id: 'A-1',
  sku: 'C-1',
  unit: 'HUR',
  prices: [
    { currency: 'EUR', unit_amount_decimal: '9500.5' },
    { currency: 'USD', unit_amount_decimal: '10000' },
  ],
  prices_include_tax: false,
  tax_rate_id: null,
  tax_rate: '0',
  tax_category: 'E',
  tax_exemption_reason: 'Medical care',
  tax_exemption_code: 'VATEX-EU-132-1I',
  buyer_item_id: 'B-1',
  standard_item_id: { scheme: '0160', value: '4012345678901' },
  classifications: [{ list: 'STI', code: '72000000-5', version: null }],
  metadata: { shelf: '7' },
};
