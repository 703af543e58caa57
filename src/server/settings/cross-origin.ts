import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/**
 * Reads CORS_ORIGINS, the origins of other web applications whose pages may call the API, separated by commas. Empty if
 * absent: only pages of the program itself may.
 */
export function readCorsOrigins(env: Environment): readonly string[] {
  return readOrigins(env, 'CORS_ORIGINS');
}

/** Reads FORM_FRAMES, the origins of web sites that may show public forms in a frame. Empty if absent: none may. */
export function readFormFrames(env: Environment): readonly string[] {
  return readOrigins(env, 'FORM_FRAMES');
}

function readOrigins(env: Environment, name: string): readonly string[] {
  const value = readText(env, name);
  if (value === undefined) return [];
  return value.split(',').map((entry) => {
    const text = entry.trim();
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !['http:', 'https:'].includes(url.protocol) || ![url.origin, `${url.origin}/`].includes(text)) {
      throw new SettingsError(
        name,
        'must be origins separated by commas, without a path, as in https://reports.example.com',
      );
    }
    return url.origin;
  });
}
