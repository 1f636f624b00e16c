/**
 * Waits end only what hangs. They are long, so that a busy machine is none; a test that needs less
 * says so.
 */
export const PATIENCE_MS = 180_000;
