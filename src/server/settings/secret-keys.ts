import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/**
 * Reads SECRET_KEYS: base64 keys of 32 bytes, separated by commas. The first one encrypts; the others are previous keys
 * that still decrypt.
 */
export function readSecretKeys(env: Environment): Buffer[] | undefined {
  const text = readText(env, 'SECRET_KEYS');
  if (text === undefined) return undefined;
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64');
    if (key.length === 32) return key;
    throw new SettingsError(
      'SECRET_KEYS',
      'must be base64 keys of 32 bytes separated by commas, as `openssl rand -base64 32` creates them',
    );
  });
}
