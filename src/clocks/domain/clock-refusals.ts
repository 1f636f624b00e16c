import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of the clocks of accounts made for trying. */
export const ClockRefusal = domainRefusals({
  forbidden: {
    test_clock_for_tests:
      'Only an account made for trying has a test clock; make one with `cli account create --mode test`.',
  },
  conflict: {
    test_clock_moved:
      'Another call moved the clock meanwhile; read it, and say anew how far it goes.',
  },
  invalid: {
    one_of_to_and_days: 'send `to` or `days`, and not both',
    test_clock_only_forward: 'must be after what the clock says now: it never goes back',
    test_clock_too_far: 'must be at most 366 days ahead of the clock, and 20 years ahead of today',
  },
});
