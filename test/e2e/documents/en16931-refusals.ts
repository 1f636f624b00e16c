// By the rule of EN 16931 that it would break: a body, and the code and pointer of its refusal.

export const SELLER = '/v1/finance/seller';
const CUSTOMERS = '/v1/finance/customers';

export const line = (over: object) => ({
  lines: [{ description: 'Advice', unit_amount: 100, tax_rate: '0', ...over }],
});
const charge = (over: object) => ({ charges: [{ amount: 100, reason: 'Freight', ...over }] });
const item = (over: object) => line({ classifications: [], ...over });

type Case = [body: object, code: string, pointer: string, path?: typeof SELLER | typeof CUSTOMERS];

export const NO_SCHEME = { electronic_address: { value: '4012345678901' } };
export const BACKWARDS = { service_period: { start: '2026-11-02', end: '2026-11-01' } };

export const REFUSED: Record<string, Case[]> = {
  'BR-06': [[{ name: ' ' }, 'invalid_text', '/name', SELLER]],
  'BR-16': [[{ lines: [] }, 'too_few_items', '/lines']],
  'BR-18': [
    [{ tax_representative: { tax_id: 'DE123456788' } }, 'required', '/tax_representative/name'],
  ],
  'BR-25': [[line({ description: ' ' }), 'invalid_text', '/lines/0/description']],
  'BR-27': [
    [line({ unit_amount: -1 }), 'amount_out_of_range', '/lines/0/unit_amount'],
    [
      line({ unit_amount: undefined, unit_amount_decimal: '-0.1' }),
      'invalid_decimal',
      '/lines/0/unit_amount_decimal',
    ],
  ],
  'BR-28': [
    [
      line({ gross_unit_amount_decimal: '-1' }),
      'invalid_decimal',
      '/lines/0/gross_unit_amount_decimal',
    ],
    [
      line({ gross_unit_amount_decimal: '99.5' }),
      'price_above_gross',
      '/lines/0/gross_unit_amount_decimal',
    ],
  ],
  'BR-29': [[BACKWARDS, 'period_ends_before_start', '/service_period/end']],
  'BR-30': [[line(BACKWARDS), 'period_ends_before_start', '/lines/0/service_period/end']],
  'BR-50': [
    [{ bank_accounts: [{ bic: 'DEUTDEFF' }] }, 'required', '/bank_accounts/0/iban', SELLER],
  ],
  'BR-51': [
    [
      { payment_card: { last_digits: '4242424242424242' } },
      'invalid_card_digits',
      '/payment_card/last_digits',
    ],
  ],
  'BR-54': [
    [line({ attributes: [{ name: 'Colour' }] }), 'required', '/lines/0/attributes/0/value'],
    [line({ attributes: [{ value: 'red' }] }), 'required', '/lines/0/attributes/0/name'],
  ],
  'BR-62': [[NO_SCHEME, 'required', '/electronic_address/scheme', SELLER]],
  'BR-63': [
    [
      { customer: { name: 'Globex', ...NO_SCHEME } },
      'required',
      '/customer/electronic_address/scheme',
    ],
    [{ name: 'Globex', ...NO_SCHEME }, 'required', '/electronic_address/scheme', CUSTOMERS],
  ],
  'BR-64': [
    [item({ standard_item_id: { value: '1' } }), 'required', '/lines/0/standard_item_id/scheme'],
  ],
  'BR-65': [
    [item({ classifications: [{ code: '1' }] }), 'required', '/lines/0/classifications/0/list'],
  ],
  'BR-66': [[{ payment_card: [{ last_digits: '4242' }] }, 'invalid_object', '/payment_card']],
  'BR-67': [[{ direct_debit: [{ creditor_id: 'DE98' }] }, 'invalid_object', '/direct_debit']],
  'BR-CO-03': [
    [{ tax_point_date: '2026-11-01', tax_point: 'payment' }, 'said_twice', '/tax_point'],
  ],
  'BR-CO-19': [[{ service_period: { start: '2026-11-01' } }, 'required', '/service_period/end']],
  'BR-CO-20': [
    [line({ service_period: { end: '2026-11-01' } }), 'required', '/lines/0/service_period/start'],
  ],
  ...rates('S', 'S', '0', 'tax_rate_required'),
  ...rates('Z', 'Z', '19', 'tax_rate_not_allowed'),
  ...rates('E', 'E', '19', 'tax_rate_not_allowed'),
  ...rates('AE', 'AE', '19', 'tax_rate_not_allowed'),
  ...rates('IC', 'K', '19', 'tax_rate_not_allowed'),
  ...rates('G', 'G', '19', 'tax_rate_not_allowed'),
  ...rates('O', 'O', '19', 'tax_rate_not_allowed'),
  ...rates('AF', 'L', '-1', 'invalid_decimal'),
  ...rates('AG', 'M', '-1', 'invalid_decimal'),
  'BR-S-10': exemptions('S', '19'),
  'BR-Z-10': exemptions('Z', '0'),
  'BR-AF-10': exemptions('L', '7'),
  'BR-AG-10': exemptions('M', '4'),
  'BR-B-01': [[line({ tax_category: 'B' }), 'not_in_list', '/lines/0/tax_category']],
  'BR-B-02': [[charge({ tax_category: 'B' }), 'not_in_list', '/charges/0/tax_category']],
  'BR-CL-01': [
    [{ kind: 'order' }, 'not_in_list', '/kind'],
    [{ type_code: '999' }, 'unknown_type_code', '/type_code'],
    [{ type_code: '381' }, 'unknown_type_code', '/type_code'],
  ],
  'BR-CL-03': [[{ currency: 'XXX' }, 'unknown_currency', '/currency', SELLER]],
  'BR-CL-04': [[{ currency: 'XXX' }, 'unknown_currency', '/currency']],
  'BR-CL-05': [
    [{ tax_currency: { currency: 'XXX' } }, 'unknown_currency', '/tax_currency/currency'],
  ],
  'BR-CL-06': [[{ tax_point: '432' }, 'not_in_list', '/tax_point']],
  'BR-CL-07': [
    [
      { invoiced_object: { scheme: '0088', value: '1' } },
      'unknown_scheme',
      '/invoiced_object/scheme',
    ],
    [
      line({ invoiced_object: { scheme: '0088', value: '1' } }),
      'unknown_scheme',
      '/lines/0/invoiced_object/scheme',
    ],
  ],
  'BR-CL-08': [
    [
      { subject_notes: [{ subject: 'XXX', text: 'Late fee: 40 EUR' }] },
      'unknown_note_subject',
      '/subject_notes/0/subject',
    ],
  ],
  'BR-CL-10': [
    [
      { identifiers: [{ scheme: '9999', value: '1' }] },
      'unknown_scheme',
      '/identifiers/0/scheme',
      SELLER,
    ],
    [
      { customer: { name: 'Globex', identifiers: [{ scheme: '0092', value: '1' }] } },
      'unknown_scheme',
      '/customer/identifiers/0/scheme',
    ],
    [
      { payee: { name: 'Factoring AG', id: '1', id_scheme: '0092' } },
      'unknown_scheme',
      '/payee/id_scheme',
    ],
  ],
  'BR-CL-11': [
    [{ registration_scheme: 'HRB' }, 'unknown_scheme', '/registration_scheme', SELLER],
    [
      { payee: { name: 'Factoring AG', registration_scheme: '1' } },
      'unknown_scheme',
      '/payee/registration_scheme',
    ],
  ],
  'BR-CL-13': [
    [
      item({ classifications: [{ list: 'CPV', code: '1' }] }),
      'unknown_classification_list',
      '/lines/0/classifications/0/list',
    ],
  ],
  'BR-CL-14': [
    [{ country: 'XX' }, 'invalid_country', '/country', SELLER],
    [{ customer: { name: 'Globex', country: 'UK' } }, 'invalid_country', '/customer/country'],
    [{ delivery: { country: 'XX' } }, 'invalid_country', '/delivery/country'],
  ],
  'BR-CL-15': [
    [line({ country_of_origin: 'UK' }), 'invalid_country', '/lines/0/country_of_origin'],
  ],
  'BR-CL-16': [[{ payment_means_code: '71' }, 'unknown_payment_means', '/payment_means_code']],
  'BR-CL-17': [[charge({ tax_category: 'Q' }), 'not_in_list', '/charges/0/tax_category']],
  'BR-CL-18': [[line({ tax_category: 'Q' }), 'not_in_list', '/lines/0/tax_category']],
  'BR-CL-19': [
    [
      { discounts: [{ amount: 1, reason_code: 'FC' }] },
      'unknown_reason_code',
      '/discounts/0/reason_code',
    ],
    [
      line({ discounts: [{ amount: 1, reason_code: '1' }] }),
      'unknown_reason_code',
      '/lines/0/discounts/0/reason_code',
    ],
  ],
  'BR-CL-20': [
    [charge({ reason_code: '95' }), 'unknown_reason_code', '/charges/0/reason_code'],
    [
      line({ charges: [{ amount: 1, reason_code: '95' }] }),
      'unknown_reason_code',
      '/lines/0/charges/0/reason_code',
    ],
  ],
  'BR-CL-21': [
    [
      item({ standard_item_id: { scheme: '0092', value: '1' } }),
      'unknown_scheme',
      '/lines/0/standard_item_id/scheme',
    ],
  ],
  'BR-CL-22': [
    [
      line({ tax_category: 'E', tax_exemption_code: 'VATEX-X' }),
      'unknown_exemption_code',
      '/lines/0/tax_exemption_code',
    ],
  ],
  'BR-CL-23': [[line({ unit: 'QQQ' }), 'unknown_unit', '/lines/0/unit']],
  'BR-CL-25': [
    [
      { electronic_address: { scheme: '0001', value: '1' } },
      'unknown_scheme',
      '/electronic_address/scheme',
      SELLER,
    ],
  ],
  'BR-CL-26': [
    [
      { delivery: { location_id: { scheme: '9999', value: '1' } } },
      'unknown_scheme',
      '/delivery/location_id/scheme',
    ],
  ],
};

/** A wrong rate of a category, on a line and on a charge. */
function rates(family: string, category: string, rate: string, code: string) {
  const tax = { tax_category: category, tax_rate: rate };
  return {
    [`BR-${family}-05`]: [[line(tax), code, '/lines/0/tax_rate'] satisfies Case],
    [`BR-${family}-07`]: [
      [
        { ...line({ tax_category: category === 'O' ? 'O' : 'Z' }), ...charge(tax) },
        code,
        '/charges/0/tax_rate',
      ] satisfies Case,
    ],
  };
}

function exemptions(category: string, rate: string): Case[] {
  const tax = { tax_category: category, tax_rate: rate };
  return [
    [
      line({ ...tax, tax_exemption_reason: 'Why not' }),
      'exemption_not_allowed',
      '/lines/0/tax_exemption_reason',
    ],
    [
      line({ ...tax, tax_exemption_code: 'VATEX-EU-132' }),
      'exemption_not_allowed',
      '/lines/0/tax_exemption_code',
    ],
  ];
}
