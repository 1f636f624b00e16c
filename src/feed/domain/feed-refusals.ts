import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of the feed of events. */
export const FeedRefusal = domainRefusals({
  malformed: {
    cursor_and_after:
      'Send `cursor` for a list with the newest first, or `after` for all in order.',
    invalid_last_event_id:
      'Last-Event-ID must be the id of an event of the stream, unchanged, or absent.',
    wait_without_after: '`wait` goes with `after`: a list with the newest first waits for nothing.',
  },
  not_found: {
    event_not_found: 'There is no such event.',
  },
  conflict: {
    history_changed:
      'This position is of another history: the database was restored since. Compare your copy with the lists, and go on with the next_cursor that `after=now` answers before you do.',
  },
  unavailable: {
    too_many_streams: 'At most 100 streams of an account are open at once; close one.',
  },
  invalid: {
    invalid_position:
      'must be `beginning`, `now`, or the next_cursor of an answer to `after`, unchanged',
  },
});
