import sanitizeHtml from 'sanitize-html';
import { markupToText } from '../../engine/formats/markup-to-text';
import { shallowMarkup } from './shallow-markup';

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
 * Leaves only harmless markup: no scripts, handlers, styles or frames, and no images, which would tell a stranger's
 * server who reads. Markup without any text is none (null). Its time grows with the length alone, which callers bound
 * beforehand.
 */
export function cleanMarkup(html: string): string | null {
  const clean = sanitizeHtml(shallowMarkup(html), options).trim();
  return markupToText(clean) === '' ? null : clean;
}
