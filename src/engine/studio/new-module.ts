import { fieldTypes, writtenTypeOf } from '../field-types';
import { labelOf } from '../definitions/labels';
import type { FieldTypeName } from '../definitions/definition';
import type { AnyFieldSource, FieldSource, Source } from '../language/source';
import { draftField } from './draft-field';
import { uniqueFieldName, nameFromLabel, fieldNameProblem } from './field-names';
import { requiredKeys } from './type-keys';
import { uniqueModuleName } from './module-names';
import { requireValue } from '../values/lookups';

/** A field as described by the creator of a module. */
export interface NewField extends AnyFieldSource {
  readonly label: string;
  readonly type: FieldTypeName;
}

/** A module as described by its creator. */
export interface NewModule {
  /** Default: from `many`. */
  readonly name?: string;
  readonly one: string;
  readonly many: string;
  readonly fields: readonly NewField[];
  /** The names of existing modules, which cannot be used. */
  readonly taken?: Iterable<string>;
  readonly icon?: string;
}

/** Columns that are visible by default. */
const maxVisibleColumns = 6;

/**
 * Creates a complete definition from a few labels: names, a title, columns, filters, a form, a menu entry, and
 * messages. It passes every check. A field without what its type needs (a relation without a target) becomes text.
 *
 * @example createModuleSource({ one: 'Browser', many: 'Browsers', fields: [] });
 */
export function createModuleSource({
  name,
  one: singular,
  many: plural,
  fields: newFields,
  taken: usedNames,
  icon,
}: NewModule): Source {
  const labels = {
    one: cleanText(singular) || 'Record',
    many: cleanText(plural) || `${cleanText(singular) || 'Record'}s`,
  };
  const start = {
    name: name ?? uniqueModuleName(labels.many, usedNames),
    labels,
    fields: {} as Record<string, FieldSource>,
  };
  const fields = withTitle(newFields).reduce(
    (addedFields, field) => withField({ ...start, fields: addedFields }, field),
    start.fields,
  );
  const entries = Object.entries(fields);
  const [title] = requireValue(
    entries.find(([, field]) => writtenTypeOf(field).isTitle),
    'the title of a new module',
  );
  const inLists = entries.filter(([, field]) => writtenTypeOf(field).sortable).map(([field]) => field);
  const filters = entries.filter(([, field]) => writtenTypeOf(field).isUsualFilter);
  const noun = labels.one.toLowerCase();
  return {
    $schema: '../schemas/resource.schema.json',
    name: start.name,
    labels,
    scope: 'company',
    menu: { group: 'Modules', icon: icon ?? 'layers', order: 90 },
    recordTitle: `{${title}}`,
    fields,
    list: {
      columns: ['id', ...inLists.map((field, index) => columnSpec(field, title, index))],
      rowClick: 'edit',
      sortChoices: [title, 'created_at'],
      ...(filters.length > 0 && {
        filters: Object.fromEntries(
          filters.map(([name, field]) => [name, writtenTypeOf(field).hasRangeFilter ? { range: true } : {}]),
        ),
      }),
      emptyText: `No ${labels.many.toLowerCase()} yet.`,
    },
    form: {
      sections: [{ label: labels.one, description: `Details of this ${noun}.`, fields: formFieldNames(entries) }],
    },
    toasts: {
      created: `${labels.one} added`,
      updated: `${labels.one} saved`,
      deleted: `${labels.one} deleted`,
    },
    delete: { confirm: `Are you sure you want to delete this ${noun}?` },
    grants: { '2': 'all', '3': 'all', '4': 'none', '5': 'none', '6': 'none' },
  };
}

function cleanText(text: string): string {
  return text
    .replace(/[{}\p{Cc}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A record's title is a text field: if there is none, a name field is added first. */
function withTitle(fields: readonly NewField[]): readonly NewField[] {
  const isTitle = ({ type, computed: computation }: NewField) =>
    fieldTypes[type].isTitle === true && computation === undefined;
  return fields.some(isTitle) ? fields : [{ label: 'Name', type: 'text', required: true }, ...fields];
}

/** Adds a field: its name from its label; a relation gets the suffix `_id` and an embed. */
function withField(
  source: Pick<Source, 'name' | 'fields'>,
  { label, type, ...rest }: NewField,
): Record<string, FieldSource> {
  const fieldLabel = cleanText(label) || 'Field';
  const isIncomplete = requiredKeys(type).some((key) => [rest[key as keyof typeof rest] ?? []].flat().length === 0);
  if (isIncomplete || fieldTypes[type].holds !== 'record') {
    const name = uniqueFieldName(source, fieldLabel, isIncomplete ? 'text' : type);
    const fieldSource = {
      type: isIncomplete ? ('text' as const) : type,
      ...(fieldLabel !== labelOf(name) && { label: fieldLabel }),
    };
    return { ...source.fields, [name]: draftField(isIncomplete ? fieldSource : { ...fieldSource, ...rest }) };
  }
  const name = uniqueFieldName(source, `${nameFromLabel(fieldLabel)}_id`);
  const embed = nameFromLabel(fieldLabel);
  const isFree = fieldNameProblem({ ...source, fields: { ...source.fields, [name]: {} } }, embed) === undefined;
  const relationSource = {
    type,
    ...(fieldLabel !== labelOf(name) && { label: fieldLabel }),
    ...(isFree && { embed }),
    ...rest,
  };
  return { ...source.fields, [name]: draftField(relationSource) };
}

function columnSpec(field: string, title: string, index: number): string {
  return field === title ? `${field}!` : index < maxVisibleColumns ? `${field}*` : field;
}

function formFieldNames(entries: readonly (readonly [string, FieldSource])[]): string[] {
  return entries
    .filter(([, field]) => writtenTypeOf(field).holds !== 'referrers' && field.computed === undefined)
    .map(([name]) => name);
}
