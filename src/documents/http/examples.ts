// Bodies that the OpenAPI document shows, and that work unchanged in a fresh demo account.

export const CUSTOMER_EXAMPLE = { name: 'Initech Ltd', country: 'DE', payment_terms_days: 14 };

export const DOCUMENT_EXAMPLE = {
  customer: { name: 'Globex GmbH', country: 'DE' },
  lines: [
    {
      description: 'Consulting',
      quantity: '2.5',
      unit: 'HUR',
      unit_amount: 9500,
      tax_rate: '19',
    },
  ],
};
