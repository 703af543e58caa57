import type { FieldOf } from '../../../engine/definitions/definition';

/**
 * The public address for a link's token; empty without a token.
 *
 * @example shareUrl(field, record.public_link);
 */
export function shareUrl(field: FieldOf<'shareLink'>, token: unknown): string {
  if (typeof token !== 'string' || token === '') return '';
  return `${window.location.origin}/${field.path}/${encodeURIComponent(token)}`;
}

/**
 * Copies text to the clipboard. Returns false if the browser does not allow it.
 *
 * @example if (await copyText(address)) notify('Copied');
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
