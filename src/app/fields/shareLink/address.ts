import type { Field } from '../../../engine/definitions/definition';

/** The public address behind a link's token, on this server; empty where there is no token. */
export function addressOf(field: Field, token: unknown): string {
  if (typeof token !== 'string' || token === '') return '';
  return `${window.location.origin}/${field.path ?? ''}/${encodeURIComponent(token)}`;
}

/** Puts a text on the clipboard; false where the browser does not let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
