import sanitizeHtml from 'sanitize-html';
import { markupToText } from '../../engine/formats/markup-to-text';
import { limitMarkupDepth } from './limit-markup-depth';

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'mark',
    'code',
    'pre',
    'blockquote',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'a',
    'span',
    'div',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 50,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }) },
};

/**
 * Removes everything dangerous from markup: scripts, handlers, styles and frames, and also images, which would tell
 * another server who reads the text. Returns null if no text is left. Takes time linear in the length, which callers
 * have to limit.
 */
export function cleanMarkup(html: string): string | null {
  const clean = sanitizeHtml(limitMarkupDepth(html), options).trim();
  return markupToText(clean) === '' ? null : clean;
}
