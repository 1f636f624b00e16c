/** A frame of Server-Sent Events. */
interface Frame {
  id: string | undefined;
  data: string | undefined;
}

/** Frames until the stream ends, breaks, is silent for too long, or the signal ends it. */
export async function* framesOf(
  stream: ReadableStream<Uint8Array>,
  silentMs: number,
  signal?: AbortSignal,
): AsyncGenerator<Frame, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(cancel, silentMs);
      const read = await reader.read().catch(() => undefined);
      clearTimeout(timer);
      if (!read || read.done) return;
      text += decoder.decode(read.value, { stream: true });
      const frames = text.split(/\r?\n\r?\n/);
      text = frames.pop() ?? '';
      yield* frames.map(frameOf);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

function frameOf(text: string): Frame {
  const valuesOf = (name: string) =>
    text.split(/\r?\n/).flatMap((line) => {
      const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      return field === name ? [value ?? ''] : [];
    });
  const data = valuesOf('data');
  return { id: valuesOf('id').at(-1), data: data.length > 0 ? data.join('\n') : undefined };
}
