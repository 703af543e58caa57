import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** SECRET_KEYS: keys of 32 bytes in base64, with commas between; the first one encrypts, the others are former ones. */
export function readSecretKeys(env: Environment): Buffer[] | undefined {
  const text = readText(env, 'SECRET_KEYS');
  if (text === undefined) return undefined;
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64');
    if (key.length === 32) return key;
    throw new SettingsError(
      'SECRET_KEYS',
      'must be keys of 32 bytes in base64 with commas between, as `openssl rand -base64 32` makes them',
    );
  });
}
