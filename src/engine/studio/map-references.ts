import { pinNames } from '../field-types/relation';
import type { Source } from '../definitions/source';
import { renameAutomations } from './rename-automations';
import { renameCondition } from './rename-conditions';
import { renameList } from './rename-list';
import {
  renameFieldReferences,
  renameForm,
  renameImport,
  renamePage,
  renameParameters,
  renameRequest,
  renameRule,
  renameUnique,
  renameValidation,
} from './rename-parts';
import {
  entries,
  nullIfEmpty,
  replaceValues,
  renameNames,
  renamePath,
  renameTemplate,
  type Renaming,
} from './renaming';

/** The definition with the names of its fields replaced in every reference; the fields themselves keep their names. */
export function mapReferences(renaming: Renaming, source: Source): Source {
  const parameters = source.parameters && renameParameters(renaming, source.parameters);
  const known = new Set(Object.keys(parameters ?? {}));
  const lost = Object.keys(source.parameters ?? {}).filter((name) => !known.has(name));
  // A filter or tab on a removed parameter is removed too.
  const among: Renaming = {
    ...renaming,
    mapName: (name) => (lost.includes(name) && !Object.hasOwn(source.fields, name) ? null : renaming.mapName(name)),
  };
  const left = {
    ...source,
    parameters: Object.fromEntries(Object.entries(source.parameters ?? {}).filter(([name]) => known.has(name))),
  };
  return replaceValues(renaming, source, '', {
    recordTitle: (text) => renameTemplate(renaming, text),
    titles: (titles) =>
      nullIfEmpty(
        replaceValues(renaming, titles, 'titles', {
          create: (text) => renameTemplate(renaming, text),
          edit: (text) => renameTemplate(renaming, text),
          copy: (text) => renameTemplate(renaming, text),
          view: (text) => renameTemplate(renaming, text),
          add: (text) => renameTemplate(renaming, text),
        }),
      ),
    fields: (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, renameFieldReferences(renaming, name, field)]),
      ),
    parameters: () => nullIfEmpty(parameters!),
    list: (list) => renameList(among, list, left),
    form: (form) => nullIfEmpty(renameForm(renaming, form)),
    requests: (requests) =>
      Object.fromEntries(Object.entries(requests).map(([name, one]) => [name, renameRequest(renaming, name, one)])),
    copy: (copy) =>
      replaceValues(renaming, copy, 'copy settings', {
        field: (name) => renaming.mapName(name),
        keeps: (name) => renaming.mapName(name),
        resets: (list) => nullIfEmpty(renameNames(renaming, list)),
      }),
    choices: (choices) =>
      nullIfEmpty(
        replaceValues(renaming, choices, 'details of choices', {
          detail: (list) => nullIfEmpty(renameNames(renaming, list)),
        }),
      ),
    import: (one) => renameImport(renaming, one),
    export: (one) =>
      typeof one !== 'object'
        ? one
        : replaceValues(renaming, one, 'the download', {
            columns: (list) => entries(list, (name) => renamePath(renaming, name)),
          }),
    delete: (one) =>
      nullIfEmpty(
        replaceValues(renaming, one, 'confirmations before deleting', {
          when: (list) =>
            entries(list, (when) => {
              const asked = renameCondition(renaming, when.if);
              return asked && { ...when, if: asked };
            }),
        }),
      ),
    archive: (archive) =>
      typeof archive !== 'object'
        ? archive
        : replaceValues(renaming, archive, 'records archived with it', {
            cascade: (list) => nullIfEmpty(list.flatMap((name) => renameCascade(renaming, name))),
          }),
    comments: (comments) =>
      typeof comments !== 'object'
        ? comments
        : replaceValues(renaming, comments, 'people who watch a record', {
            watchers: (list) => renameNames(renaming, list),
          }),
    timer: (timer) => {
      const names = (['of', 'start', 'end'] as const).map((key) => renaming.mapName(timer[key]));
      const [of, start, end] = names;
      return of && start && end ? { of, start, end } : null;
    },
    page: (page) => (typeof page === 'object' ? renamePage(renaming, page) : page),
    rules: (rules) => rules.map((rule, index) => renameRule(renaming, rule, index)),
    indexes: (indexes) => nullIfEmpty(renameIndexes(renaming, indexes)),
    validate: (rules) => entries(rules, (rule) => renameValidation(renaming, rule)),
    unique: (rules) => entries(rules, (rule) => renameUnique(renaming, rule)),
    noOverlap: (rule) => {
      const [from, to] = rule.fields.map((name) => renaming.mapName(name));
      return from && to
        ? { ...rule, fields: [from, to], ...(rule.per && { per: renameNames(renaming, rule.per) }) }
        : null;
    },
    when: () => renameAutomations(renaming, source),
  });
}

function renameCascade(renaming: Renaming, name: string): string[] {
  if (!name.startsWith(`${renaming.resource}.`)) return [name];
  const next = renaming.mapName(name.slice(renaming.resource.length + 1));
  return next === null ? [] : [`${renaming.resource}.${next}`];
}

/** Indexes without the removed fields; resulting duplicates are removed too. */
function renameIndexes(renaming: Renaming, indexes: readonly string[][]): string[][] {
  const made = indexes.map((index) => renameNames(renaming, index));
  return made.filter((index, place) => {
    const whole = index.length === indexes[place]!.length;
    return whole || (index.length > 0 && made.findIndex((other) => other.join() === index.join()) === place);
  });
}

/** What in a definition refers to the resource's own records. */
export function selfReferencesOf(source: Source): Pick<Renaming, 'resource' | 'ownEmbeds' | 'ownRelations'> {
  const related = Object.entries(source.fields).filter(
    ([, { to, of }]) => to === source.name || of?.startsWith(`${source.name}.`),
  );
  return {
    resource: source.name,
    ownEmbeds: new Set(related.flatMap(([, { embed }]) => embed ?? [])),
    ownRelations: new Set(related.map(([name]) => name)),
  };
}

/** The definition with a renamed field, including all references. */
export function renameFieldEverywhere(source: Source, name: string, to: string): Source {
  const versions = Object.values(pinNames(name)).map(
    (one, index) => [one, Object.values(pinNames(to))[index]!] as const,
  );
  const names = [[name, to] as const, ...(source.fields[name]?.pin ? versions : [])];
  const made = renameReferences(source, new Map(names));
  const entries = Object.entries(made.fields).map(([one, field]) => [one === name ? to : one, field] as const);
  return { ...made, fields: Object.fromEntries(entries) };
}

/** The definition with other names in its references; the fields keep theirs. */
export function renameReferences(source: Source, names: ReadonlyMap<string, string>): Source {
  const quiet = () => {};
  const name = (one: string) => names.get(one) ?? one;
  return mapReferences(
    { ...selfReferencesOf(source), mapName: name, removedEmbeds: new Set(), onRemoved: quiet, onUnresolved: quiet },
    source,
  );
}
