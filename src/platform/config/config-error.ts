/** A variable is missing or wrong. The message names it and the reason, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
