import { ownProperty } from '../../engine/values/lookups';
/**
 * Replaces `{{name}}` by its value. A missing value becomes empty, and placeholders inside a value are not replaced.
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => ownProperty(values, name) ?? '');
}
