import type { Source } from '../definitions/source';
import { condition } from './renamed-conditions';
import { renamedList } from './renamed-list';
import {
  renamedField,
  renamedForm,
  renamedImport,
  renamedParameters,
  renamedRequest,
  renamedRule,
} from './renamed-parts';
import { entries, filled, keys, names, path, template, type Renaming } from './renaming';

/** The definition with the names of its fields replaced in every reference; the fields themselves keep their names. */
export function withNames(renaming: Renaming, source: Source): Source {
  const parameters = source.parameters && renamedParameters(renaming, source.parameters);
  const known = new Set(Object.keys(parameters ?? {}));
  const lost = Object.keys(source.parameters ?? {}).filter((name) => !known.has(name));
  // A filter or tab on a removed parameter is removed too.
  const among: Renaming = {
    ...renaming,
    name: (name) => (lost.includes(name) && !Object.hasOwn(source.fields, name) ? null : renaming.name(name)),
  };
  const left = {
    ...source,
    parameters: Object.fromEntries(Object.entries(source.parameters ?? {}).filter(([name]) => known.has(name))),
  };
  return keys(renaming, source, '', {
    recordTitle: (text) => template(renaming, text),
    titles: (titles) =>
      filled(
        keys(renaming, titles, 'titles', {
          create: (text) => template(renaming, text),
          edit: (text) => template(renaming, text),
          copy: (text) => template(renaming, text),
          view: (text) => template(renaming, text),
          add: (text) => template(renaming, text),
        }),
      ),
    fields: (fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, renamedField(renaming, name, field)])),
    parameters: () => filled(parameters!),
    list: (list) => renamedList(among, list, left),
    form: (form) => filled(renamedForm(renaming, form)),
    requests: (requests) =>
      Object.fromEntries(Object.entries(requests).map(([name, one]) => [name, renamedRequest(renaming, name, one)])),
    copy: (copy) =>
      keys(renaming, copy, 'copy settings', {
        field: (name) => renaming.name(name),
        keeps: (name) => renaming.name(name),
        resets: (list) => filled(names(renaming, list)),
      }),
    choices: (choices) =>
      filled(keys(renaming, choices, 'details of choices', { detail: (list) => filled(names(renaming, list)) })),
    import: (one) => renamedImport(renaming, one),
    export: (one) =>
      typeof one !== 'object'
        ? one
        : keys(renaming, one, 'the download', { columns: (list) => entries(list, (name) => path(renaming, name)) }),
    delete: (one) =>
      filled(
        keys(renaming, one, 'confirmations before deleting', {
          when: (list) =>
            entries(list, (when) => {
              const asked = condition(renaming, when.if);
              return asked && { ...when, if: asked };
            }),
        }),
      ),
    archive: (archive) =>
      typeof archive !== 'object'
        ? archive
        : keys(renaming, archive, 'records archived with it', {
            cascade: (list) => filled(list.flatMap((name) => cascaded(renaming, name))),
          }),
    rules: (rules) => rules.map((rule, index) => renamedRule(renaming, rule, index)),
    indexes: (indexes) => filled(renamedIndexes(renaming, indexes)),
  });
}

function cascaded(renaming: Renaming, name: string): string[] {
  if (!name.startsWith(`${renaming.resource}.`)) return [name];
  const next = renaming.name(name.slice(renaming.resource.length + 1));
  return next === null ? [] : [`${renaming.resource}.${next}`];
}

/** Indexes without the removed fields; resulting duplicates are removed too. */
function renamedIndexes(renaming: Renaming, indexes: readonly string[][]): string[][] {
  const made = indexes.map((index) => names(renaming, index));
  return made.filter((index, place) => {
    const whole = index.length === indexes[place]!.length;
    return whole || (index.length > 0 && made.findIndex((other) => other.join() === index.join()) === place);
  });
}

/** What in a definition refers to the resource's own records. */
export function ownOf(source: Source): Pick<Renaming, 'resource' | 'ownEmbeds' | 'ownRelations'> {
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
export function withNewName(source: Source, name: string, to: string): Source {
  const made = withOthers(source, new Map([[name, to]]));
  const entries = Object.entries(made.fields).map(([one, field]) => [one === name ? to : one, field] as const);
  return { ...made, fields: Object.fromEntries(entries) };
}

/** The definition with other names in its references; the fields keep theirs. */
export function withOthers(source: Source, names: ReadonlyMap<string, string>): Source {
  const quiet = () => {};
  const name = (one: string) => names.get(one) ?? one;
  return withNames({ ...ownOf(source), name, goneEmbeds: new Set(), told: quiet, open: quiet }, source);
}
