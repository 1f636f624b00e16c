import type { ClientSchedule } from '../../schedules/index.js';
import { portalUrl } from './portal-language.js';
import type { PageProps } from './portal-props.js';

/** A document of a schedule says when the next one comes, and offers what its client may do about that. */
export function Recurring(props: PageProps) {
  const { schedule, paper } = props;
  if (schedule === null) return null;
  const sentences = sentencesOf(schedule, props);
  return (
    <section class="sheet" id="schedule">
      <h2>{paper.texts.recurring.heading}</h2>
      <p>
        <bdi>{schedule.name}</bdi>
      </p>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Ending {...props} schedule={schedule} />
    </section>
  );
}

function sentencesOf(schedule: ClientSchedule, { paper, locale }: PageProps): string[] {
  const { status, nextOn, nextTotal, endDate } = schedule;
  const { recurring } = paper.texts;
  if (status === 'ended') return [recurring.over];
  if (status === 'paused') return [recurring.paused];
  const date = nextOn && locale.date(nextOn);
  const next = nextTotal && date ? recurring.nextSum(date, locale.money(nextTotal)) : null;
  return [
    next ?? (date ? recurring.next(date) : null),
    endDate && recurring.endsOn(locale.date(endDate)),
  ].filter((sentence) => sentence !== null);
}

function Ending({ schedule, token, asked, paper }: PageProps & { schedule: ClientSchedule }) {
  const { recurring } = paper.texts;
  if (schedule.clientMay === 'nothing') return null;
  if (schedule.clientMay === 'end') {
    return (
      <details class="answer">
        <summary>{recurring.endOffer}</summary>
        <form method="post" action={portalUrl(token, '/schedule/end', asked)}>
          <p class="soft">{recurring.endHint}</p>
          <button type="submit" class="button danger">
            {recurring.end}
          </button>
        </form>
      </details>
    );
  }
  if (schedule.isEndAsked) return <p class="soft">{recurring.asked}</p>;
  return (
    <form class="answer" method="post" action={portalUrl(token, '/schedule/ask-to-end', asked)}>
      <button type="submit" class="button">
        {recurring.ask}
      </button>
    </form>
  );
}
