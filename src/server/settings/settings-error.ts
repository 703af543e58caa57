/**
 * A setting is invalid. The message is one line that names it, and never repeats a value that may contain a password.
 */
export class SettingsError extends Error {
  override name = 'SettingsError';

  constructor(setting: string, rule: string) {
    super(`${setting}: ${rule}`);
  }
}
