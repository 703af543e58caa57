import type { Definition, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { printRecord } from '../print/print-record';
import { resolveTemplateName } from '../print/resolve-name';
import { itemAt } from '../values/lookups';

const placeholder = /\{([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)\}/g;
const paragraph = /^<p>((?:(?!<\/?p[\s>]).)*)<\/p>$/s;

/**
 * The first names of the placeholders in a snippet.
 *
 * @example placeholderNames('<p>Dear {contact_id.name}</p>'); // ['contact_id']
 */
export function placeholderNames(markup: string): string[] {
  return [...markup.matchAll(placeholder)].map((match) => itemAt(match, 1));
}

/**
 * The markup of a snippet with the values of a record, as its reader gets it, in place of `{field}` and
 * `{relation_id.field}`, written as on a printed page. A field without a value leaves nothing; a name that the module
 * does not have stays as it is, so that it is noticed. A single paragraph loses its `p`: it is inserted into a line.
 *
 * @example fillSnippet('<p>Dear {name},</p>', contacts, { name: 'Ada & Co' }, registry); // 'Dear Ada &amp; Co,'
 */
export function fillSnippet(
  markup: string,
  definition: Definition,
  record: ResourceRecord,
  registry: Registry,
): string {
  const text = markup.replace(placeholder, (path, name: string) =>
    resolveTemplateName(definition, name, registry) ? printRecord(path, definition, record, registry) : path,
  );
  return paragraph.exec(text)?.[1] ?? text;
}
