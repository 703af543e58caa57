import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { fieldTypeOf } from '../field-types';
import { isAnyRelation } from '../field-types/relation';
import { expandedRows, isRows, rowsIn } from '../field-types/rows';
import { parseMarkdown, type MarkdownPart } from '../formats/markdown';
import { embedsOf, recordTitleOf } from '../lists/titles';
import { resolveTemplateName } from './resolve-name';
import { parseTemplate, type TemplatePart } from './template';
import { propertyOf } from '../values/lookups';

/** A record whose values a part of a template can name, and the one around it. */
interface Scope {
  readonly definition: Definition;
  readonly record: ResourceRecord;
  readonly outer?: Scope;
}

/**
 * The markup that a template makes of a record as it is in a response. Values are escaped; formatted text is markup
 * already. The caller sanitizes it.
 *
 * @example printRecord('<h1>{key}</h1>', deals, record, registry); // '<h1>D-1</h1>'
 */
export function printRecord(
  template: string,
  definition: Definition,
  record: ResourceRecord,
  registry: Registry,
): string {
  return printParts(parseTemplate(template), { definition, record }, registry);
}

function printParts(parts: readonly TemplatePart[], scope: Scope, registry: Registry): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const namedValue = findName(part.path, scope, registry);
      if (part.kind === 'value') return namedValue ? printValue(namedValue, registry) : '';
      const scopes = namedValue ? scopesOf(namedValue, scope, registry) : [];
      if (part.isMissing) return scopes.length === 0 ? printParts(part.parts, scope, registry) : '';
      return scopes.map((innerScope) => printParts(part.parts, innerScope, registry)).join('');
    })
    .join('');
}

/** A named value: the field, and the record that has it. */
interface NamedValue {
  readonly field: Field;
  readonly record: ResourceRecord;
  /** The records that a section repeats; undefined: the value stands for itself. */
  readonly records?: readonly ResourceRecord[];
  readonly recordsDefinition?: Definition;
}

/** The value of a path in the innermost record that knows its first name. */
function findName(path: string, scope: Scope, registry: Registry): NamedValue | undefined {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  for (let currentScope: Scope | undefined = scope; currentScope; currentScope = currentScope.outer) {
    let value = valueOf(first, currentScope, registry);
    if (!value) continue;
    for (const name of rest) {
      const record: ResourceRecord | undefined = value.records?.[0];
      const definition: Definition | undefined = value.recordsDefinition;
      const next: NamedValue | undefined = record && definition && valueOf(name, { definition, record }, registry);
      if (!next) return undefined;
      value = next;
    }
    return value;
  }
  return undefined;
}

function valueOf(name: string, { definition, record }: Scope, registry: Registry): NamedValue | undefined {
  const templateName = resolveTemplateName(definition, name, registry);
  if (!templateName) return undefined;
  const { field, records: recordsDefinition } = templateName;
  if (!recordsDefinition) return { field, record };
  const records = isRows(field)
    ? expandedRows(field, record[field.name])
    : isAnyRelation(field)
      ? embedsOf(field, record)
      : rowsIn(record[field.name]);
  return { field, record, records, recordsDefinition };
}

/** The scopes of a section: one for each record, or one where there is a value, but not for `false`. */
function scopesOf(value: NamedValue, scope: Scope, registry: Registry): Scope[] {
  const { records, recordsDefinition } = value;
  if (records && recordsDefinition)
    return records.map((record) => ({ definition: recordsDefinition, record, outer: scope }));
  return value.record[value.field.name] !== false && printValue(value, registry) !== '' ? [scope] : [];
}

function printValue({ field, record, records, recordsDefinition }: NamedValue, registry: Registry): string {
  if (isRows(field)) return escapeMarkup(String(records?.length ?? 0));
  const target = recordsDefinition ?? (isAnyRelation(field) ? registry.get(field.to) : undefined);
  const relatedRecords = records ?? (target ? embedsOf(field, record) : undefined);
  if (relatedRecords)
    return escapeMarkup(relatedRecords.map((relatedRecord) => recordTitleOf(target, relatedRecord)).join(', '));
  const value = record[field.name];
  if (value === null || value === undefined) return '';
  if (fieldTypeOf(field).hasMarkup) return String(value);
  const text = fieldTypeOf(field).toText(value, field, record);
  if (field.markdown) return printMarks(parseMarkdown(text));
  return escapeMarkup(text);
}

function printMarks(parts: readonly MarkdownPart[]): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'bold':
          return `<strong>${printMarks(part.parts)}</strong>`;
        case 'italic':
          return `<em>${printMarks(part.parts)}</em>`;
        case 'code':
          return `<code>${escapeMarkup(part.text)}</code>`;
        case 'link':
          return `<a href="${escapeMarkup(part.address)}">${printMarks(part.parts)}</a>`;
        default:
          return escapeMarkup(part.text);
      }
    })
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '<br>',
};

/** Text as markup that shows it, with its lines. */
function escapeMarkup(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[&<>"'\n]/g, (sign) => propertyOf(entities, sign));
}
