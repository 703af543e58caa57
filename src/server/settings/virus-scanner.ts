import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** Where ClamAV's daemon listens. */
export interface VirusScanner {
  readonly host: string;
  readonly port: number;
}

/** Reads VIRUS_SCANNER, such as `clamd://clamav:3310`; undefined if absent. Throws a SettingsError. */
export function readVirusScanner(env: Environment): VirusScanner | undefined {
  const text = readText(env, 'VIRUS_SCANNER');
  if (text === undefined) return undefined;
  const [, bracketed, plainHost, port = '3310'] =
    /^clamd:\/\/(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  const host = bracketed ?? plainHost;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new SettingsError('VIRUS_SCANNER', "must be the address of ClamAV's daemon, as in clamd://clamav:3310");
  return { host, port: Number(port) };
}
