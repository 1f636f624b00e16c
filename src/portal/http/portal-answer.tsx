import { REASON_MAX_LENGTH, NAME_MAX_LENGTH } from '../wire/portal.js';
import type { Texts } from '../../documents/index.js';
import type { RefusedForm } from './portal-props.js';

interface FormProps {
  texts: Texts;
  /** The document as its heading names it. */
  document: string;
  url: string;
  /** The same form as it was sent, if it was refused. */
  refused: RefusedForm | undefined;
}

/** The client's two answers, as plain forms. */
export function AcceptForm({ texts, document, url, refused }: FormProps) {
  const { answer } = texts;
  return (
    <form class="sheet answer" method="post" action={url} id="accept">
      <p class="soft">{texts.acceptHint}</p>
      <label for="name">{answer.name}</label>
      <input
        id="name"
        name="name"
        type="text"
        autocomplete="name"
        maxlength={NAME_MAX_LENGTH}
        value={refused?.values['name'] ?? ''}
        {...wrongness(refused, 'name')}
        required
      />
      <Wrong field="name" refused={refused} text={answer.nameMissing} />
      <label class="tick">
        <input
          name="confirmed"
          type="checkbox"
          value="true"
          checked={refused?.values['confirmed'] === 'true'}
          {...wrongness(refused, 'confirmed')}
          required
        />
        <span>{answer.confirm(document)}</span>
      </label>
      <Wrong field="confirmed" refused={refused} text={answer.confirmMissing} />
      <button type="submit" class="button primary">
        {texts.accept(document)}
      </button>
    </form>
  );
}

export function RejectForm({ texts, document, url, refused }: FormProps) {
  return (
    <details class="sheet answer" id="reject" open={refused !== undefined}>
      <summary>{texts.rejectOffer}</summary>
      <form method="post" action={url}>
        <label for="reason">{texts.rejectQuestion(document)}</label>
        <p class="soft" id="reason-hint">
          {texts.rejectHint}
        </p>
        <textarea
          id="reason"
          name="reason"
          maxlength={REASON_MAX_LENGTH}
          {...wrongness(refused, 'reason', 'reason-hint')}
          required
        >
          {refused?.values['reason'] ?? ''}
        </textarea>
        <Wrong field="reason" refused={refused} text={texts.refusals.reason} />
        <button type="submit" class="button danger">
          {texts.reject}
        </button>
      </form>
    </details>
  );
}

/** Tells of a field that it is wrong, and where that is said. */
function wrongness(refused: RefusedForm | undefined, field: string, hint?: string) {
  const isWrong = refused?.wrong.has(field) ?? false;
  const described = [hint, isWrong && `${field}-wrong`].filter(Boolean).join(' ');
  return {
    ...(isWrong && { 'aria-invalid': 'true' as const, autofocus: true }),
    ...(described && { 'aria-describedby': described }),
  };
}

function Wrong(props: { field: string; refused: RefusedForm | undefined; text: string }) {
  const { field, refused, text } = props;
  if (!refused?.wrong.has(field)) return null;
  return (
    <p class="wrong" id={`${field}-wrong`}>
      {text}
    </p>
  );
}
