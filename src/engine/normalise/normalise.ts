import { treeName } from '../conditions/tree';
import { Level } from '../definitions/level';
import { isSequence } from '../field-types/sequence';
import { isRelation } from '../field-types/relation';
import { isRelations } from '../field-types/relations';
import { isInverse } from '../field-types/inverse';
import { fieldTypeOf, writtenTypeOf } from '../field-types';
import type { Action, Definition, Field, FormDefinition, Parameter, Rule } from '../definitions/definition';
import { actions, levels } from '../definitions/definition';
import { exportFileNameOf, tableOf, templateFields } from '../definitions/labels';
import { normaliseAutomations } from './normalise-automations';
import { normaliseField } from './normalise-field';
import { normaliseImport } from './normalise-import';
import { normaliseList } from './normalise-list';
import { normalisePage } from './normalise-page';
import { normaliseRequests } from './normalise-requests';
import type { RuleSource, Source } from '../language/source';
import { systemFields } from './system-fields';
import { propertyOf } from '../values/lookups';

/**
 * Fills in every default of a written definition. The only place that knows them.
 *
 * @example
 * normalise({ name: 'browsers', labels: { one: 'Browser', many: 'Browsers' }, fields: { name: { type: 'text' } } });
 */
export function normalise(source: Source): Definition {
  const fields = normaliseFields(source);
  const recordTitle = source.recordTitle ?? `{${defaultTitleField(source)}}`;
  const titlePaths = templateFields(recordTitle).filter((path) => !path.includes('.'));
  // A key before the name is no title of its own.
  const titleField = titlePaths.find((path) => fields[path] && !isSequence(fields[path])) ?? titlePaths[0] ?? 'id';
  const { one: singular, many: plural } = source.labels;
  const requests = normaliseRequests(source, fields);
  const list = normaliseList(source, fields, titleField, requests);
  const form = normaliseForm(source, fields, list);
  return freeze({
    name: source.name,
    table: tableOf(source.name),
    formerName: source.formerName,
    labels: { one: singular, many: plural },
    description: source.description,
    titles: {
      list: `${plural} | Total Records: {total}`,
      create: `Add New ${singular}`,
      edit: `Edit ${singular}`,
      copy: `Copy ${singular}`,
      view: singular,
      add: `Add ${singular}`,
      ...source.titles,
    },
    scope: source.scope ?? 'company',
    envelope: source.envelope ?? null,
    recordTitle,
    titleField,
    fields,
    parameters: {
      ...treeParameter(source, fields),
      ...Object.fromEntries(
        Object.entries(source.parameters ?? {}).map(([name, parameter]) => [
          name,
          { kind: 'value' as const, ...parameter },
        ]),
      ),
    },
    chip: source.chip && { tones: {}, marks: {}, ...source.chip },
    menu: normaliseMenu(source),
    list,
    form,
    requests,
    copy: source.copy ? { suffix: ' - Copy', field: titleField, resetFields: [], ...source.copy } : null,
    choices: { detail: defaultDetail(fields), alwaysShowDetail: false, ...source.choices },
    export: normaliseExport(source),
    ...(source.print && {
      print: { paper: 'A4' as const, ...source.print, template: source.print.template.join('\n') },
    }),
    ...(source.public && { public: normalisePublic(source.public) }),
    ...(source.exports && { exports: normaliseExports(source.name, source.exports) }),
    import: normaliseImport(source, fields),
    toasts: {
      created: 'Added Successfully',
      updated: 'Updated Successfully',
      deleted: 'Deleted Successfully',
      restored: `${singular} Unarchive Successfully`,
      copied: 'Copied Successfully',
      ...source.toasts,
    },
    delete: {
      confirm: 'Are you sure you want to delete?',
      confirmations: [],
      keep: false,
      ...source.delete,
      final: !source.archive && (source.delete?.keep === true || source.system === true || deletesMore(source)),
    },
    archive: source.archive
      ? {
          confirmRestore: `Are you sure you want to Unarchive this ${singular.toLowerCase()}?`,
          cascade: [],
          ...(source.archive === true ? {} : source.archive),
        }
      : null,
    rules: (source.rules ?? []).map(normaliseRule),
    grants: normaliseGrants(source),
    hooks: source.hooks ?? {},
    rows:
      source.rows === undefined
        ? null
        : { protected: true, ...(typeof source.rows === 'string' ? { file: source.rows } : source.rows) },
    indexes: source.indexes ?? [],
    validate: source.validate ?? [],
    unique: (source.unique ?? []).map((rule) => (Array.isArray(rule) ? { fields: rule } : rule)),
    noOverlap: source.noOverlap ? { partitionBy: [], ...source.noOverlap } : null,
    automations: normaliseAutomations(source),
    history: source.history ?? true,
    comments: normaliseComments(source, fields),
    timer: source.timer ?? null,
    page: normalisePage(source, fields, form, titleField),
    system: source.system ?? false,
  });
}

/** Whether code does more with a deleted record than deleting its rows, so that these alone do not bring it back. */
function deletesMore({ hooks }: Source): boolean {
  return hooks?.beforeDelete !== undefined || hooks?.afterDelete !== undefined;
}

function normaliseComments({ comments }: Source, fields: Readonly<Record<string, Field>>): Definition['comments'] {
  if (comments === undefined || comments === false) return null;
  const people = fields.created_by?.to;
  const watchers = Object.values(fields).filter(
    (field) => !field.system && (isRelation(field) || isRelations(field)) && field.to === people,
  );
  return {
    write: 'view',
    form: true,
    watchers: watchers.map(({ name }) => name),
    ...(comments === true ? {} : comments),
  };
}

function normaliseFields(source: Source): Record<string, Field> {
  const system = systemFields(source);
  const ownFields = Object.entries(source.fields).filter(([name]) => !(name in system));
  const { id, site_id, ...rest } = system;
  const field = (name: string, isSystem: boolean) =>
    normaliseField(name, propertyOf(isSystem ? system : source.fields, name), source, isSystem);
  return Object.fromEntries([
    ['id', field('id', id !== undefined)],
    ...ownFields.map(([name]) => [name, field(name, false)] as const),
    ...(site_id ? [['site_id', field('site_id', true)] as const] : []),
    ...Object.keys(rest).map((name) => [name, field(name, true)] as const),
  ]);
}

function defaultTitleField(source: Source): string {
  for (const name of ['name', 'option_name', 'title']) if (name in source.fields) return name;
  const system = systemFields(source);
  const ownFields = Object.entries(source.fields).filter(([name]) => !(name in system));
  return ownFields.find(([, field]) => writtenTypeOf(field).isTitle && !field.secret)?.[0] ?? 'id';
}

/** The record's parents or required relations, such as its project, and its id. */
function defaultDetail(fields: Readonly<Record<string, Field>>): string[] {
  const relations = Object.values(fields).filter(
    (field) => isRelation(field) && !field.system && field.to !== propertyOf(fields, 'created_by').to,
  );
  const containers = relations.filter((field) => field.container);
  return [
    ...(containers.length > 0 ? containers : relations.filter((field) => field.required)),
    propertyOf(fields, 'id'),
  ].map(({ name }) => name);
}

function normaliseForm(
  source: Source,
  fields: Readonly<Record<string, Field>>,
  list: Definition['list'],
): FormDefinition {
  const inForm = Object.values(fields).filter(
    (field) =>
      !field.system &&
      !isInverse(field) &&
      field.computed === undefined &&
      field.name !== source.copy?.originalField &&
      field.name !== list.kanban?.order,
  );
  const sections = source.form?.sections ?? [
    { label: source.labels.one, description: source.description, fields: inForm.map(({ name }) => name) },
  ];
  return {
    sections: withCompany(sections, fields),
    ...dialogOf(source, sections, fields, list),
    ...(source.form?.popup && { popup: source.form.popup }),
    ...(source.form?.keep && { keep: source.form.keep }),
    tabs: (source.form?.tabs ?? []).map((tab) => ({ values: {}, pageOnly: false, ...tab })),
    redirects: (source.form?.redirects ?? []).map((redirect) => ({ mode: 'both' as const, ...redirect })),
  };
}

/** The most inputs of a form that is a dialog without being told so, and its width in pixels. */
const smallForm = { inputs: 3, width: 480 };

/** The dialog that the form is: as written, else by its size. */
function dialogOf(
  source: Source,
  sections: FormDefinition['sections'],
  fields: Readonly<Record<string, Field>>,
  list: Definition['list'],
): Pick<FormDefinition, 'dialog'> {
  const dialogSource = source.form?.dialog;
  if (dialogSource) return { dialog: { side: false, ...dialogSource } };
  if (dialogSource === false || !isSmall(sections, fields) || hasMoreBeside(source, list)) return {};
  return { dialog: { width: smallForm.width, side: false, bySize: true } };
}

/** Whether a form shows few inputs, each of a type that needs a part of a row. Only level 1 sees the company, which does not count. */
function isSmall(sections: FormDefinition['sections'], fields: Readonly<Record<string, Field>>): boolean {
  const names = new Set(sections.flatMap((section) => section.fields));
  const shownFields = [...names].filter((name) => name !== 'site_id').map((name) => fields[name]);
  if (shownFields.length === 0 || shownFields.length > smallForm.inputs) return false;
  return shownFields.every((field) => field !== undefined && fieldTypeOf(field).width !== 'full');
}

/** Whether a page shows more than the form of a record, which a small dialog would hide. */
function hasMoreBeside(
  { form, requests, comments, page }: Source,
  { actions: listActions }: Definition['list'],
): boolean {
  const parts = [form?.popup, form?.tabs?.length, Object.keys(requests ?? {}).length, comments, page];
  return parts.some(Boolean) || listActions.some(({ calls }) => calls !== undefined);
}

/** The company comes first (only for level 1, see the system fields) unless a section contains it. */
function withCompany(
  sections: FormDefinition['sections'],
  fields: Readonly<Record<string, Field>>,
): FormDefinition['sections'] {
  const [first, ...rest] = sections;
  if (!first || !fields.site_id?.system || sections.some((section) => section.fields.includes('site_id')))
    return sections;
  return [{ ...first, fields: ['site_id', ...first.fields] }, ...rest];
}

function normaliseExport(source: Source): Definition['export'] {
  if (source.export === false) return null;
  const exportSource = typeof source.export === 'object' ? source.export : {};
  return {
    path: `${source.name}-export`,
    file: exportFileNameOf(source.name),
    columns: [],
    formats: {},
    ...exportSource,
  };
}

function normaliseMenu({ menu }: Source): Definition['menu'] {
  if (menu === false) return null;
  const { switcher, ...entry } = menu ?? {};
  return {
    ...{ group: 'Reference data', settings: entry.group === undefined, icon: 'tag', order: 100 },
    ...entry,
    ...(switcher && { switcher: { counts: [], ...switcher } }),
  };
}

function normalisePublic({ create, choices = false }: NonNullable<Source['public']>): Definition['public'] {
  if (!create) return { choices };
  const confirmation = 'Thank you. We have received what you sent.';
  return { create: { values: {}, confirmation, hourlyLimit: 100, ...create }, choices };
}

function normaliseExports(
  resource: string,
  exports: NonNullable<Source['exports']>,
): NonNullable<Definition['exports']> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, { columns, ...exportSource }]) => [
      name,
      {
        format: 'xlsx' as const,
        separator: ',',
        decimalSeparator: '.' as const,
        dateFormat: 'YYYY-MM-DD',
        encoding: 'utf-8-bom' as const,
        header: true,
        file: `${tableOf(resource)}_${name}`,
        ...exportSource,
        columns: columns.map((column) => (typeof column === 'string' ? { field: column } : column)),
      },
    ]),
  );
}

function normaliseRule(rule: RuleSource): Rule {
  const { action, ...rest } = rule;
  return { ...rest, actions: Array.isArray(action) ? action : [action], reason: rule.reason ?? defaultReason(rule) };
}

function defaultReason(rule: RuleSource): string {
  if (rule.where && 'created_by' in rule.where) return 'only for records that you created';
  if (rule.exceptFields) return `not the fields ${rule.exceptFields.join(', ')}`;
  if (rule.fields) return `only the fields ${rule.fields.join(', ')}`;
  return 'only for some records';
}

/** A module without grants: everything for levels 1 to 3, nothing for 4 to 6. */
function normaliseGrants(source: Source): Record<Level, readonly Action[]> {
  const read: readonly Action[] = ['list', 'view'];
  const grantsByName = { all: actions, read, none: [] as readonly Action[] };
  return Object.fromEntries(
    levels.map((level) => {
      const grant = source.grants?.[`${level}`] ?? (level <= Level.Manager ? 'all' : 'none');
      return [level, level === Level.Installation ? actions : typeof grant === 'string' ? grantsByName[grant] : grant];
    }),
  ) as unknown as Record<Level, readonly Action[]>;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

/** The parameter that filters a list by a branch of the tree beside it, if it has one and the name is free. */
function treeParameter(
  { list, parameters }: Source,
  fields: Readonly<Record<string, Field>>,
): Readonly<Record<string, Parameter>> {
  const names = list?.tree;
  if (!names || [fields, parameters ?? {}].some((names) => Object.hasOwn(names, treeName))) return {};
  const last = fields[names.at(-1) ?? ''];
  return { [treeName]: { kind: 'tree', tree: names, ...(last && { label: last.label, resource: last.to }) } };
}
