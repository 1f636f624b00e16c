import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of the feed of events. */
export const FeedRefusal = domainRefusals({
  malformed: {
    cursor_and_after:
      'Send `cursor` for a list with the newest first, or `after` for all in order.',
    wait_without_after: '`wait` goes with `after`: a list with the newest first waits for nothing.',
  },
  not_found: {
    event_not_found: 'There is no such event.',
  },
  conflict: {
    history_changed:
      'This position is of another history: the database was restored since. Compare your copy with the lists, and go on with the next_cursor that `after=now` answers before you do.',
  },
  invalid: {
    invalid_position:
      'must be `beginning`, `now`, or the next_cursor of an answer to `after`, unchanged',
  },
});
