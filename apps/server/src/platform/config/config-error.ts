/**
 * A setting is wrong or missing. The message names each one and says why; it never quotes the value, which may be a
 * secret.
 */
export class ConfigError extends Error {
  constructor(reasons: string[]) {
    super(`The configuration is not valid:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
