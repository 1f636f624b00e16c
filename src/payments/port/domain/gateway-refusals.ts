import { domainRefusals } from '../../../kernel/domain-refusal.js';

/** Of gateways and their providers. */
export const GatewayRefusal = domainRefusals({
  malformed: {
    invalid_signature: 'The signature is missing, wrong or too old; nothing was changed.',
  },
  not_found: {
    gateway_not_found: 'There is no such gateway; this account may use: gateway-a.',
    gateway_event_not_found: 'There is no such gateway event.',
    sandbox_link_not_found: 'There is no such sandbox pay page.',
  },
  conflict: {
    gateway_event_unreadable: 'Its secret is gone; have the provider send it again.',
    not_of_sandbox:
      'pay_01h455vb4pex5vsknk084sn02q came through gateway-a; only a sandbox can be told what happens.',
    sandbox_event_refused:
      'The webhook answered 409 to payment.reversed; GET /v1/finance/gateway-events tells why.',
    gateway_refused: 'The provider refused to make a pay page for this amount.',
    gateway_not_assigned:
      'Gateway gateway-a is assigned to no account; the operator has to set GATEWAY_A_ACCOUNTS.',
    gateway_keeps_no_mandates:
      'Gateway gateway-a keeps no mandates, or has no key for its provider; name another one.',
    gateway_disabled:
      'shop is disabled and makes no new links; enable it, or name another gateway.',
    too_many_gateways: 'An account has at most 20 gateways; change one that nobody uses.',
    nothing_to_rotate: 'paypal has no webhook secret that is rotated; change its settings instead.',
  },
  forbidden: {
    sandbox_for_tests: 'This account is live, and the sandbox is for those made for trying.',
  },
  invalid: {
    sandbox_outcome_not_possible:
      'outcome of a mandate must be one of pending, active, suspended, failed, canceled, expired.',
    unknown_provider: 'provider has to be one of stripe, paypal, mollie.',
    provider_for_tests:
      'provider pays with money that is made up, so only accounts made for trying may have it.',
    unknown_setting: 'api_base is for the operator to set.',
    setting_required: 'webhook_secret is required.',
    invalid_setting: 'environment has to be one of live, sandbox.',
    gateway_name_taken: 'There is a gateway shop already; choose another name.',
    invalid_gateway_name: 'name must be of a-z, 0-9 and single hyphens, of at most 60 characters.',
  },
  unavailable: {
    gateway_unreadable: 'The settings of this gateway cannot be used; send all of them again.',
    gateway_unavailable: 'The provider did not answer; try again in a moment.',
    gateway_key_missing: 'The provider sent only an id; the operator has to set an API key.',
  },
});
