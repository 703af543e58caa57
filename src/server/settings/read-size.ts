import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Reads a size in bytes, written as `500 MB` or `10 GB` (units of 1,024); 0 for no limit; undefined if absent. Throws a
 * SettingsError.
 */
export function readSize(env: Environment, name: string): number | undefined {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,6}(?:\.\d+)?) ?(kB|MB|GB|TB)$/i.exec(text) ?? [];
  const power = units.findIndex((candidate) => candidate.toLowerCase() === unit?.toLowerCase());
  if (power > 0) return Math.round(Number(number) * 1024 ** power);
  throw new SettingsError(name, 'must be a size such as 500 MB or 10 GB, or 0 for no limit');
}

/** Reads a whole number of at least `least`; undefined if absent. Throws a SettingsError. */
export function readCount(env: Environment, name: string, minimum: number): number | undefined {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count >= minimum) return count;
  throw new SettingsError(name, `must be a whole number of at least ${minimum}`);
}

/** Formats a size for people: `5 MB`, `1.2 GB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`;
}
