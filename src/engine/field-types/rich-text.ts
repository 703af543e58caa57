import type { FieldType } from './field-type';
import { text } from './text';

/** Formatted text as HTML; the server keeps only harmless markup. */
export const richText: FieldType = {
  ...text,
  toText: (value) => (typeof value === 'string' ? plainText(value) : ''),
  sortable: false,
  markup: true,
  width: 'full',
  maxLength: 100_000,
};

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(p|li|h[1-6]|div|tr|blockquote|pre)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name]!)
    .replace(/\n{2,}/g, '\n')
    .trim();
}
