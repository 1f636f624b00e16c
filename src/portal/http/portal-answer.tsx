const REASON_MAX_LENGTH = 2000;

/** The client's two answers, as plain forms. */
export function AcceptForm({ kind, acceptUrl }: { kind: string; acceptUrl: string }) {
  return (
    <form class="sheet" method="post" action={acceptUrl}>
      <p>The sender will be told that you agree.</p>
      <button type="submit" class="button primary">
        Accept {kind}
      </button>
    </form>
  );
}

export function RejectForm({ kind, rejectUrl }: { kind: string; rejectUrl: string }) {
  return (
    <details class="sheet">
      <summary>Something is wrong? Reject this document</summary>
      <form method="post" action={rejectUrl}>
        <label for="reason">Why do you reject {kind}?</label>
        <p class="soft" id="reason-hint">
          The sender will read your reason. A rejection cannot be taken back here.
        </p>
        <textarea
          id="reason"
          name="reason"
          aria-describedby="reason-hint"
          maxlength={REASON_MAX_LENGTH}
          required
        />
        <button type="submit" class="button danger">
          Reject
        </button>
      </form>
    </details>
  );
}
