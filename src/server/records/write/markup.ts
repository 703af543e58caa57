import { createRequire } from 'node:module';
import type SanitizeHtml from 'sanitize-html';
import { allowedMarkup } from '../../../engine/formats/allowed-markup';
import { markupToText } from '../../../engine/formats/markup-to-text';
import { lastOf } from '../../../engine/values/lookups';

const { tags, numbers, schemes, link } = allowedMarkup;
const options: SanitizeHtml.IOptions = {
  allowedTags: [...tags],
  allowedAttributes: {
    a: ['href', ...Object.keys(link)],
    ...Object.fromEntries(Object.entries(numbers).map(([tag, names]) => [tag, [...names]])),
  },
  allowedSchemes: [...schemes],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 50,
};

// The parsers of markup take a tenth of a second and 20 MB, so they are loaded with the first markup.
const load = createRequire(import.meta.url);
let sanitize: ((html: string) => string) | undefined;
let sanitizeDocument: ((html: string) => string) | undefined;
/** The classes of a printed page, whose styles are the program's own. */
const documentClasses = ['right', 'center', 'small', 'columns', 'break'];

function loadSanitizer(extraOptions: SanitizeHtml.IOptions = {}): (html: string) => string {
  const sanitizeHtml = load('sanitize-html') as typeof SanitizeHtml;
  const transformTags = { a: sanitizeHtml.simpleTransform('a', { ...link }) };
  return (html) => sanitizeHtml(html, { ...options, ...extraOptions, transformTags });
}

/** As `cleanMarkup`, for a printed page: the classes of its elements stay. */
export function cleanDocument(html: string): string {
  sanitizeDocument ??= loadSanitizer({ allowedClasses: { '*': documentClasses } });
  return sanitizeDocument(limitMarkupDepth(html)).trim();
}

/**
 * Removes everything dangerous from markup: scripts, handlers, styles and frames, and also images, which would tell
 * another server who reads the text. Returns null if no text is left. Takes time linear in the length, which callers
 * have to limit.
 */
export function cleanMarkup(html: string): string | null {
  sanitize ??= loadSanitizer();
  // Searching reads the entity as a blank.
  const clean = sanitize(limitMarkupDepth(html)).trim().replaceAll('\u00a0', '&nbsp;');
  return markupToText(clean) === '' ? null : clean;
}

/** Maximum nesting; deeper elements keep their text and lose their tags. */
const maxDepth = 64;
/** Maximum length of a tag's name; no HTML tag has a longer one. */
const maxNameLength = 32;
/** Maximum length of a tag; a longer one loses its attributes. */
const maxTagLength = 8_192;

const voidElements = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);
/** The elements that a start tag closes implicitly, as browsers and the sanitizer read it. */
const impliedEndTags: Readonly<Record<string, ReadonlySet<string>>> = {
  ...forEachName(
    'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul',
    'p',
  ),
  ...forEachName('dd dt', 'dd dt'),
  ...forEachName('tbody tfoot', 'thead tbody'),
  ...forEachName('li', 'li'),
  ...forEachName('option', 'option'),
  ...forEachName('tr', 'tr th td'),
  ...forEachName('th', 'th'),
  ...forEachName('td', 'thead th td'),
};

/**
 * Closes every element and limits nesting to `maxDepth`, in time linear in the length. Sanitizers take time that grows
 * with the square of the depth. The result still has to be sanitized.
 */
export function limitMarkupDepth(html: string): string {
  const output: string[] = [];
  const open: string[] = [];
  /** Elements whose start tags were dropped: their end tags are dropped too. */
  const leftOut = new Map<string, number>();
  let name = '';
  let start = 0;

  const closeTo = (depth: number): void => {
    for (const name of open.splice(depth).reverse()) output.push(`</${name}>`);
    leftOut.clear();
  };
  const openElement = (end: number): void => {
    const implied = impliedEndTags[name];
    while (implied && open.length > 0 && implied.has(lastOf(open))) closeTo(open.length - 1);
    if (name.length > maxNameLength) return;
    if (open.length >= maxDepth) {
      if (!voidElements.has(name)) leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
      return;
    }
    output.push(end - start < maxTagLength ? html.slice(start, end + 1) : `<${name}>`);
    if (!voidElements.has(name)) open.push(name);
  };
  const closeElement = (elementName: string): void => {
    if (elementName === 'br') output.push('<br>');
    const times = leftOut.get(elementName) ?? 0;
    if (times > 0) return void leftOut.set(elementName, times - 1);
    const depth = open.lastIndexOf(elementName);
    if (depth >= 0) closeTo(depth);
    else if (elementName === 'p') output.push('<p></p>');
  };

  const { Tokenizer } = load('htmlparser2') as typeof import('htmlparser2');
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (startIndex, end) => {
        name = html.slice(startIndex, end).toLowerCase();
        start = startIndex - 1;
      },
      onopentagend: openElement,
      onselfclosingtag: openElement,
      onclosetag: (startIndex, end) => closeElement(html.slice(startIndex, end).toLowerCase()),
      ontext: (startIndex, end) => void output.push(escapeText(html.slice(startIndex, end))),
      ontextentity: (code) => void output.push(escapeText(String.fromCodePoint(code))),
      onattribname: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: () => closeTo(0),
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return output.join('');
}

function ignore(): void {
  // Comments and the like are dropped; attributes are copied with their tag.
}

function escapeText(text: string): string {
  return text.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'));
}

function forEachName(names: string, endTags: string): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, new Set(endTags.split(' '))]));
}
