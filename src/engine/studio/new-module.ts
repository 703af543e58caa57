import { fieldTypes, writtenTypeOf } from '../field-types';
import { labelOf } from '../definitions/labels';
import type { FieldTypeName } from '../definitions/definition';
import type { AnyFieldSource, FieldSource, Source } from '../definitions/source';
import { draftField } from './draft-field';
import { uniqueFieldName, nameFromLabel, fieldNameProblem } from './field-names';
import { requiredKeys } from './type-keys';
import { uniqueModuleName } from './module-names';

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
export function createModuleSource({ name, one, many, fields: wanted, taken, icon }: NewModule): Source {
  const labels = { one: cleanText(one) || 'Record', many: cleanText(many) || `${cleanText(one) || 'Record'}s` };
  const start = {
    name: name ?? uniqueModuleName(labels.many, taken),
    labels,
    fields: {} as Record<string, FieldSource>,
  };
  const fields = withTitle(wanted).reduce((all, field) => withField({ ...start, fields: all }, field), start.fields);
  const entries = Object.entries(fields);
  const [title] = entries.find(([, field]) => writtenTypeOf(field).isTitle)!;
  const inLists = entries.filter(([, field]) => writtenTypeOf(field).sortable).map(([field]) => field);
  const filters = entries.filter(([, field]) => writtenTypeOf(field).isUsualFilter);
  const thing = labels.one.toLowerCase();
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
      sections: [{ label: labels.one, description: `Details of this ${thing}.`, fields: formFieldNames(entries) }],
    },
    toasts: {
      created: `${labels.one} added`,
      updated: `${labels.one} saved`,
      deleted: `${labels.one} deleted`,
    },
    delete: { confirm: `Are you sure you want to delete this ${thing}?` },
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
  const isTitle = ({ type, computed }: NewField) => fieldTypes[type].isTitle === true && computed === undefined;
  return fields.some(isTitle) ? fields : [{ label: 'Name', type: 'text', required: true }, ...fields];
}

/** Adds a field: its name from its label; a relation gets the suffix `_id` and an embed. */
function withField(
  source: Pick<Source, 'name' | 'fields'>,
  { label, type, ...rest }: NewField,
): Record<string, FieldSource> {
  const said = cleanText(label) || 'Field';
  const lacks = requiredKeys(type).some((key) => [rest[key as keyof typeof rest] ?? []].flat().length === 0);
  if (lacks || fieldTypes[type].holds !== 'record') {
    const name = uniqueFieldName(source, said, lacks ? 'text' : type);
    const written = { type: lacks ? ('text' as const) : type, ...(said !== labelOf(name) && { label: said }) };
    return { ...source.fields, [name]: draftField(lacks ? written : { ...written, ...rest }) };
  }
  const name = uniqueFieldName(source, `${nameFromLabel(said)}_id`);
  const beside = nameFromLabel(said);
  const isFree = fieldNameProblem({ ...source, fields: { ...source.fields, [name]: {} } }, beside) === undefined;
  const written = { type, ...(said !== labelOf(name) && { label: said }), ...(isFree && { embed: beside }), ...rest };
  return { ...source.fields, [name]: draftField(written) };
}

function columnSpec(field: string, title: string, index: number): string {
  return field === title ? `${field}!` : index < maxVisibleColumns ? `${field}*` : field;
}

function formFieldNames(entries: readonly (readonly [string, FieldSource])[]): string[] {
  return entries
    .filter(([, field]) => writtenTypeOf(field).holds !== 'referrers' && field.computed === undefined)
    .map(([name]) => name);
}
