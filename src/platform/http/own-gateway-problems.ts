import type { ProblemEntry } from './request-problems.js';

/** Codes of the catalog about gateways that accounts configure themselves. */
export const OWN_GATEWAY_PROBLEMS = {
  gateway_disabled: [
    409,
    'shop is disabled and makes no new links; enable it, or name another gateway.',
  ],
  too_many_gateways: [409, 'An account has at most 20 gateways; change one that nobody uses.'],
  nothing_to_rotate: [
    409,
    'paypal has no webhook secret that is rotated; change its settings instead.',
  ],
  unknown_provider: [422, 'provider has to be one of stripe, paypal, mollie.'],
  provider_for_tests: [
    422,
    'provider pays with money that is made up, so only accounts made for trying may have it.',
  ],
  unknown_setting: [422, 'api_base is for the operator to set.'],
  setting_required: [422, 'webhook_secret is required.'],
  invalid_setting: [422, 'environment has to be one of live, sandbox.'],
  gateway_name_taken: [422, 'There is a gateway shop already; choose another name.'],
  invalid_gateway_name: [
    422,
    'name must be of a-z, 0-9 and single hyphens, of at most 60 characters.',
  ],
  gateway_unreadable: [503, 'The settings of this gateway cannot be used; send all of them again.'],
} satisfies Record<string, ProblemEntry>;
