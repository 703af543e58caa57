/**
 * The markup that formatted text may have: the server stores nothing else, and whatever shows or prints a text makes
 * nothing else of it. No pictures, which would tell another server who reads the text; nothing that runs, loads or
 * positions.
 *
 * @example allowedMarkup.tags.has('img'); // false
 */
export const allowedMarkup = {
  tags: new Set(
    (
      'p br hr b strong i em u s del ins sub sup mark code pre blockquote h1 h2 h3 h4 h5 h6 ul ol li a span div ' +
      'table thead tbody tr th td'
    ).split(' '),
  ),
  /** Attributes with numbers, by tag. Of `a` there is `href`, and the attributes of `link` are set for all of them. */
  numbers: { ol: ['start'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
  /** Where links may lead to. */
  schemes: ['http', 'https', 'mailto', 'tel'],
  /** Attributes of all links: the page that they open neither knows nor reaches the one that it was opened from. */
  link: { rel: 'noopener noreferrer nofollow', target: '_blank' },
} as const;

/**
 * The attributes of a tag whose values are numbers.
 *
 * @example numericAttributes('td'); // ['colspan', 'rowspan']
 */
export function numericAttributes(tag: string): readonly string[] {
  const { numbers } = allowedMarkup;
  return Object.hasOwn(numbers, tag) ? numbers[tag as keyof typeof numbers] : [];
}
