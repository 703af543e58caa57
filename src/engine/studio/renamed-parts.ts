import type { FieldSource, FormSource, ImportSource, RequestSource, RuleSource, Source } from '../definitions/source';
import { at } from '../definitions/paths';
import { isObject, type Json } from './json';
import { condition, kept } from './renamed-conditions';
import { renamedValues } from './renamed-list';
import { entries, filled, keys, named, names, template, type Renaming } from './renaming';

/** A field with renamed references to other fields. */
export function renamedField(renaming: Renaming, name: string, field: FieldSource): FieldSource {
  const here = at('/fields', name);
  const one = (value: string) => renaming.name(value);
  const needs = (key: keyof FieldSource) => (value: string) => {
    const next = one(value);
    if (next === null) renaming.open(at(here, key));
    return next ?? value;
  };
  const own = field.to === renaming.resource;
  return keys(renaming, field, `the field "${name}"`, {
    required: (value) => (isObject(value) ? condition(renaming, value) : value),
    readOnly: (value) => (isObject(value) ? kept(renaming, value, at(here, 'readOnly')) : value),
    visible: (value) => condition(renaming, value),
    choices: (value) => condition(renaming, value, own),
    notBefore: one,
    after: one,
    on: one,
    from: needs('from'),
    to: (value) => (field.type === 'duration' ? needs('to')(value) : value),
    shares: (list) => filled(names(renaming, list)),
    computed: (value) => renamedComputed(renaming, value, at(here, 'computed')),
    embedFields: (list) => (own ? filled(names(renaming, list)) : list),
    of: (value) =>
      value.startsWith(`${renaming.resource}.`)
        ? `${renaming.resource}.${needs('of')(value.slice(renaming.resource.length + 1))}`
        : value,
    sum: (value) => (field.of?.startsWith(`${renaming.resource}.`) ? renaming.name(value) : value),
    show: (list) =>
      field.of?.startsWith(`${renaming.resource}.`)
        ? filled(
            names(
              renaming,
              list.filter((name) => !renaming.goneEmbeds.has(name)),
            ),
          )
        : list,
  });
}

function renamedComputed(renaming: Renaming, value: Json | string, here: string): unknown {
  if (typeof value !== 'string') return kept(renaming, value, here);
  const text = template(renaming, value);
  if (text === null) renaming.open(here);
  return text ?? value;
}

/** A parameter that would change its meaning without a field is removed with it. */
export function renamedParameters(
  renaming: Renaming,
  written: NonNullable<Source['parameters']>,
): NonNullable<Source['parameters']> {
  const result: NonNullable<Source['parameters']> = {};
  for (const [name, parameter] of Object.entries(written)) {
    const field = parameter.field === undefined ? undefined : renaming.name(parameter.field);
    const where = parameter.where && condition(renaming, parameter.where);
    const all =
      parameter.named && Object.entries(parameter.named).map(([key, one]) => [key, condition(renaming, one)] as const);
    const some = all && Object.fromEntries(all.filter(([, one]) => one !== null));
    if (field === null || where === null || (some && Object.keys(some).length === 0)) {
      renaming.told(`the parameter "${name}"`);
      continue;
    }
    const stands = name === parameter.field && parameter.kind !== 'month' ? field! : name;
    result[stands] = keys(renaming, parameter, `the parameter "${name}"`, {
      field: () => field,
      where: () => where,
      named: () => some,
    });
  }
  return result;
}

/** The form with renamed fields. Empty sections are removed. */
export function renamedForm(renaming: Renaming, form: FormSource): FormSource {
  const sections = keys(renaming, form, 'the form', {
    sections: (list) =>
      entries(list, (section) => {
        const fields = names(renaming, section.fields);
        return fields.length === 0 ? null : { ...section, fields };
      }),
    redirects: (list) =>
      entries(list, (redirect) => {
        const when = redirect.when && condition(renaming, redirect.when);
        return when === null ? null : { ...redirect, ...(when && { when }) };
      }),
  });
  return keys(renaming, sections, 'tabs of the form', {
    tabs: (list) =>
      entries(list, (tab) => {
        const query = renamedValues(renaming, tab.query, tab.list);
        if (Object.keys(query).length < Object.keys(tab.query).length) return null;
        const made = { ...tab, query };
        return keys(renaming, made, 'tabs of the form', {
          values: (values) => renamedValues(renaming, values, tab.list),
          visible: (visible) => condition(renaming, visible),
        });
      }),
  });
}

/** A request with renamed fields. */
export function renamedRequest(renaming: Renaming, name: string, request: RequestSource): RequestSource {
  const sets = new Set(request.sets);
  const sent: Renaming = { ...renaming, name: (one) => (sets.has(one) ? renaming.name(one) : one) };
  const made = keys(renaming, request, `the request "${request.label}"`, {
    sets: (list) => filled(names(renaming, list)),
    adds: (adds) => {
      const relation = adds.resource === renaming.resource ? renaming.name(adds.relation) : adds.relation;
      if (relation === null) return null;
      return {
        ...adds,
        relation,
        fields: adds.resource === renaming.resource ? names(renaming, adds.fields) : adds.fields,
      };
    },
    required: (list) => filled(names(sent, list)),
    ignored: (list) => filled(names(sent, list)),
    visible: (visible) => {
      const all = Object.entries(named(sent, visible)).map(([key, one]) => [key, condition(renaming, one)] as const);
      return filled(Object.fromEntries(all.filter(([, one]) => one !== null)));
    },
    list: (list) => keys(renaming, list, '', { query: (query) => renamedValues(renaming, query, list.resource) }),
  });
  if (!made.sets && !made.adds) renaming.open(at('/requests', name));
  return made;
}

/** The import with renamed fields. */
export function renamedImport(renaming: Renaming, written: ImportSource): ImportSource {
  return keys(renaming, written, 'the import', {
    ask: (name) => renaming.name(name),
    fields: (list) => filled(names(renaming, list)),
    synonyms: (all) => filled(named(renaming, all)),
    values: (all) => filled(named(renaming, all)),
    paths: (list) =>
      entries(list, (path) => (names(renaming, path).length < path.length ? null : names(renaming, path))),
    steps: (list) => filled(names(renaming, list)),
    tools: (list) =>
      list.map((tool) =>
        keys(renaming, tool, '', {
          columns: (columns) =>
            Object.fromEntries(
              Object.entries(columns).flatMap(([heading, name]) => {
                const next = name === null ? null : renaming.name(name);
                return next === null && name !== null ? [] : [[heading, next]];
              }),
            ),
          values: (all) => filled(named(renaming, all)),
        }),
      ),
  });
}

/** A rule with renamed fields. A rule that refers to a removed field is not changed silently. */
export function renamedRule(renaming: Renaming, rule: RuleSource, index: number): RuleSource {
  const here = at('/rules', index);
  return keys(renaming, rule, 'rules', {
    where: (where) => kept(renaming, where, at(here, 'where')),
    fields: (list) => {
      const left = filled(names(renaming, list));
      if (left === null) renaming.open(at(here, 'fields'));
      return left ?? list;
    },
    except: (list) => filled(names(renaming, list)),
  });
}
