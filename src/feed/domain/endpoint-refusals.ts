import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of webhook endpoints and what is delivered to them. */
export const EndpointRefusal = domainRefusals({
  not_found: {
    webhook_endpoint_not_found: 'There is no such webhook endpoint.',
    webhook_delivery_not_found:
      'This event was not meant for the endpoint, or its delivery is older than 30 days; `replay` sends it anew.',
  },
  conflict: {
    too_many_webhook_endpoints:
      'An account has at most 50 webhook endpoints; DELETE those that nobody needs.',
    webhook_endpoint_disabled: 'The endpoint is disabled; enable it first.',
    webhook_delivery_pending: 'It is on its way already; its next try is told.',
    too_many_events_to_replay: 'These are more than 100000 events; choose a shorter time.',
  },
  invalid: {
    unknown_event_type: 'must be a type such as document.paid, or document.* for all of a subject',
    https_needed: 'must begin with https: events of a live account cross no network in the clear',
    invalid_replay_time: '`to` must be after `from`.',
  },
});
