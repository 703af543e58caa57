import { SettingsError } from './settings-error';

/** Environment variables by name. An empty one counts as absent. */
export type Environment = Record<string, string | undefined>;

/** Reads a setting without surrounding spaces; undefined if absent or empty. */
export function readText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** Reads one of `allowedValues`; undefined if absent. Throws a SettingsError for anything else. */
export function readChoice<T extends string>(
  env: Environment,
  name: string,
  allowedValues: readonly T[],
): T | undefined {
  const value = readText(env, name);
  if (value === undefined) return undefined;
  const choice = allowedValues.find((option) => option === value);
  if (choice === undefined) throw new SettingsError(name, `must be one of ${allowedValues.join(', ')}`);
  return choice;
}

/** Reads a TCP port; undefined if absent. Throws a SettingsError. */
export function readPort(env: Environment, name: string): number | undefined {
  const value = readText(env, name);
  if (value === undefined) return undefined;
  const port = Number(value);
  if (/^\d+$/.test(value) && port >= 1 && port <= 65535) return port;
  throw new SettingsError(name, 'must be a whole number from 1 to 65535');
}

/** Reads a URL with one of these schemes (as in `https`); undefined if absent. Throws a SettingsError. */
export function readUrl(env: Environment, name: string, schemes: readonly string[]): URL | undefined {
  const value = readText(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && value.includes('://') && schemes.includes(url.protocol.slice(0, -1))) return url;
  throw new SettingsError(name, `must be a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`);
}

/** Reads a whole number from `minimum` to `maximum`; undefined if absent. Throws a SettingsError. */
export function readWhole(env: Environment, name: string, minimum: number, maximum: number): number | undefined {
  const value = readText(env, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number;
  throw new SettingsError(name, `must be a whole number from ${minimum} to ${maximum}`);
}
