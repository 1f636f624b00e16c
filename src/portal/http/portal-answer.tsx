import type { Texts } from '../../documents/index.js';

const REASON_MAX_LENGTH = 2000;

interface FormProps {
  texts: Texts;
  /** Which one, as its heading says. */
  document: string;
  url: string;
}

/** The client's two answers, as plain forms. */
export function AcceptForm({ texts, document, url }: FormProps) {
  return (
    <form class="sheet" method="post" action={url}>
      <p>{texts.acceptHint}</p>
      <button type="submit" class="button primary">
        {texts.accept(document)}
      </button>
    </form>
  );
}

export function RejectForm({ texts, document, url }: FormProps) {
  return (
    <details class="sheet">
      <summary>{texts.rejectOffer}</summary>
      <form method="post" action={url}>
        <label for="reason">{texts.rejectQuestion(document)}</label>
        <p class="soft" id="reason-hint">
          {texts.rejectHint}
        </p>
        <textarea
          id="reason"
          name="reason"
          aria-describedby="reason-hint"
          maxlength={REASON_MAX_LENGTH}
          required
        />
        <button type="submit" class="button danger">
          {texts.reject}
        </button>
      </form>
    </details>
  );
}
