import { lastOf, firstOf, requireValue } from '../values/lookups';

/** A part of a template for a printed page. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** The value of a field, or of a path through an embed. */
  | { readonly kind: 'value'; readonly path: string }
  /** The text between `{#path}` and `{/path}`, or between `{^path}` and `{/path}` for what is missing. */
  | {
      readonly kind: 'section';
      readonly path: string;
      readonly isMissing: boolean;
      readonly parts: readonly TemplatePart[];
    };

const tag = /\{([#^/]?)([A-Za-z_][A-Za-z0-9_.]*)\}/g;

/** A section whose end was not read yet. */
interface OpenSection {
  readonly path: string;
  readonly isMissing: boolean;
  readonly parts: TemplatePart[];
}

/**
 * Reads a template: `{field}` is a value, `{#lines}…{/lines}` is repeated for each row or shown where there is a value,
 * `{^field}…{/field}` is shown where there is none. Throws an Error that names a section without an end or beginning.
 *
 * @example parseTemplate('Offer {key}').map(({ kind }) => kind); // ['text', 'value']
 */
export function parseTemplate(template: string): readonly TemplatePart[] {
  const open: OpenSection[] = [{ path: '', isMissing: false, parts: [] }];
  let end = 0;
  const addText = (textEnd: number) => {
    if (textEnd > end) lastOf(open).parts.push({ kind: 'text', text: template.slice(end, textEnd) });
  };
  for (const match of template.matchAll(tag)) {
    const [tagText, sign, path = ''] = match;
    addText(match.index);
    end = match.index + tagText.length;
    if (sign === '') lastOf(open).parts.push({ kind: 'value', path });
    else if (sign !== '/') open.push({ path, isMissing: sign === '^', parts: [] });
    else {
      const section = requireValue(open.pop(), 'the open section');
      if (section.path !== path || open.length === 0)
        throw new Error(
          section.path === '' ? `{/${path}} ends nothing.` : `{#${section.path}} is not ended before {/${path}}.`,
        );
      lastOf(open).parts.push({ kind: 'section', ...section });
    }
  }
  addText(template.length);
  if (open.length > 1) throw new Error(`{#${lastOf(open).path}} has no end {/${lastOf(open).path}}.`);
  return firstOf(open).parts;
}
