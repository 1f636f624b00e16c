import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { TracerLog } from './tracer.js';

/** Tells once that traces do not arrive, and once that they do again, not for each batch. */
export class TraceExport implements SpanExporter {
  private isFailing = false;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: TracerLog,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, ({ code, error }) => {
      const isThere = code === ExportResultCode.SUCCESS;
      const tell = () => (isThere ? this.arrived() : this.failed(error, spans.length));
      // The timer of a batch is of whichever request began it.
      context.with(ROOT_CONTEXT, tell);
      // Told here: the processor would tell it again, for each batch.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private arrived(): void {
    if (this.isFailing) this.log.info({ lost: this.lost }, 'traces arrive again');
    this.isFailing = false;
    this.lost = 0;
  }

  private failed(error: Error | undefined, spans: number): void {
    this.lost += spans;
    if (this.isFailing) return;
    this.isFailing = true;
    this.log.warn({ reason: reasonOf(error) }, 'traces do not arrive; they are lost until they do');
  }
}

/** A code of the network or a status: what a collector answers is nobody's to print. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  const { code, name = 'Error' } = error ?? {};
  return typeof code === 'string' || typeof code === 'number' ? String(code) : name;
}
