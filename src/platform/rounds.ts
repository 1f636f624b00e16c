/** A job in rounds, never two of them at once in this process. */
export class Rounds {
  private timer?: NodeJS.Timeout;
  private round: Promise<unknown> = Promise.resolve();
  private isRunning = false;
  /** A long round looks here between its steps. */
  isStopping = false;

  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(everyMs: number): void {
    this.timer = setInterval(() => this.begin(), everyMs).unref();
  }

  /** A round now, unless one is under way. Nobody waits for it. */
  begin(): void {
    if (!this.isRunning && !this.isStopping) this.round = this.runOnce();
  }

  /** Waits for the round that is under way. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.round;
  }

  private async runOnce(): Promise<void> {
    this.isRunning = true;
    try {
      await this.run();
    } catch (error) {
      this.onError(error);
    } finally {
      this.isRunning = false;
    }
  }
}
