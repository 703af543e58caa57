import { isExpressionObject } from '../expressions/computed-kind';
import { writtenTypeOf } from '../field-types';
import { lookup } from '../field-types/lookup';
import { rollup } from '../field-types/rollup';
import { formatParts, numberPlace } from '../field-types/sequence';
import { isCurrencyCode } from '../formats/money';
import type {
  FieldSource,
  FormSource,
  ImportSource,
  PageSource,
  RequestSource,
  RuleSource,
  Source,
  UniqueSource,
} from '../definitions/source';
import { joinPointer } from '../definitions/problems';
import { withAlternatives } from './sections';
import type { ValidationRule } from '../definitions/definition';
import { isJsonObject, type JsonObject } from './json';
import { renameCondition, renameConditionOrNull, renameConditionOrReport } from './rename-conditions';
import { renameValues } from './rename-list';
import {
  entries,
  nullIfEmpty,
  replaceValues,
  renameKeys,
  renameNames,
  renameTemplate,
  type Renaming,
} from './renaming';

/** A field with renamed references to other fields. */
export function renameFieldReferences(renaming: Renaming, name: string, field: FieldSource): FieldSource {
  const here = joinPointer('/fields', name);
  const one = (value: string) => renaming.mapName(value);
  const needs = (key: keyof FieldSource) => (value: string) => {
    const next = one(value);
    if (next === null) renaming.onUnresolved(joinPointer(here, key));
    return next ?? value;
  };
  const own = field.to === renaming.resource;
  const isOfOwn = field.of?.startsWith(`${renaming.resource}.`) === true;
  return replaceValues(renaming, field, `the field "${name}"`, {
    required: (value) => (isJsonObject(value) ? renameCondition(renaming, value) : value),
    readOnly: (value) =>
      isJsonObject(value) ? renameConditionOrReport(renaming, value, joinPointer(here, 'readOnly')) : value,
    visible: (value) => renameCondition(renaming, value),
    choices: (value) => renameCondition(renaming, value, own),
    transitions: (list) =>
      list.map((transition, index) => {
        const place = joinPointer(here, 'transitions', index);
        return replaceValues(renaming, transition, 'transitions', {
          when: (when) => renameConditionOrReport(renaming, when, joinPointer(place, 'when')),
          needs: (names) => nullIfEmpty(renameNames(renaming, names)),
        });
      }),
    notBefore: one,
    after: one,
    on: one,
    continues: one,
    limitedBy: one,
    currency: (value) => (isCurrencyCode(value) ? value : needs('currency')(value)),
    from: needs('from'),
    to: (value) => (writtenTypeOf(field).references?.to ? needs('to')(value) : value),
    shares: (list) => nullIfEmpty(renameNames(renaming, list)),
    format: (value) => renameFormat(renaming, value, joinPointer(here, 'format')),
    per: needs('per'),
    computed: (value) => renameComputed(renaming, value, joinPointer(here, 'computed')),
    embedFields: (list) => (own ? nullIfEmpty(renameNames(renaming, list)) : list),
    of: (value) =>
      writtenTypeOf(field) === lookup
        ? [needs('of')(value.split('.')[0]!), ...value.split('.').slice(1)].join('.')
        : value.startsWith(`${renaming.resource}.`)
          ? `${renaming.resource}.${needs('of')(value.slice(renaming.resource.length + 1))}`
          : writtenTypeOf(field) === rollup && !value.includes('.')
            ? needs('of')(value)
            : value,
    sum: (value) => (isOfOwn ? renaming.mapName(value) : value),
    field: (value) => (isOfOwn ? needs('field')(value) : value),
    by: (value) => (isOfOwn ? renaming.mapName(value) : value),
    asksBefore: (list) => nullIfEmpty(renameNames(renaming, list)),
    strip: (value) => (isOfOwn ? renaming.mapName(value) : value),
    distinct: (value) => (isOfOwn ? renaming.mapName(value) : value),
    where: (value) => (isOfOwn ? renameConditionOrReport(renaming, value, joinPointer(here, 'where')) : value),
    show: (list) =>
      isOfOwn && field.distinct === undefined
        ? nullIfEmpty(
            renameNames(
              renaming,
              list.filter((name) => !renaming.removedEmbeds.has(name)),
            ),
          )
        : list,
  });
}

function renameComputed(renaming: Renaming, value: JsonObject | string, here: string): unknown {
  if (typeof value !== 'string')
    return isExpressionObject(value)
      ? renameExpression(renaming, value, here)
      : renameConditionOrReport(renaming, value, here);
  const text = renameTemplate(renaming, value);
  if (text === null) renaming.onUnresolved(here);
  return text ?? value;
}

/** The format of a sequence; a field that no longer exists is left in it, for the checks to report. */
function renameFormat(renaming: Renaming, format: string, here: string): string {
  const parts = formatParts(format).map((part) => {
    if ('text' in part) return part.text;
    const [first, ...rest] = part.path.split('.') as [string, ...string[]];
    const next = first === numberPlace ? first : renaming.mapName(first);
    if (next === null) renaming.onUnresolved(here);
    return `{${[next ?? first, ...rest].join('.')}}`;
  });
  return parts.join('');
}

/** An expression must not change silently: what refers to something removed stays and is reported as unresolved. */
function renameExpression(renaming: Renaming, written: unknown, here: string): unknown {
  if (typeof written === 'string') {
    const name = /^\$record\.(\w+)$/.exec(written)?.[1];
    if (name === undefined) return written;
    const next = renaming.mapName(name);
    if (next === null) renaming.onUnresolved(here);
    return next === null ? written : `$record.${next}`;
  }
  if (Array.isArray(written)) return written.map((one) => renameExpression(renaming, one, here));
  if (!isJsonObject(written)) return written;
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => {
      if (key === '$literal') return [key, value];
      if (key === 'when' && isJsonObject(value) && !isExpressionObject(value))
        return [key, renameConditionOrReport(renaming, value, here)];
      return [key, renameExpression(renaming, value, here)];
    }),
  );
}

/** A parameter that would change its meaning without a field is removed with it. */
export function renameParameters(
  renaming: Renaming,
  written: NonNullable<Source['parameters']>,
): NonNullable<Source['parameters']> {
  const result: NonNullable<Source['parameters']> = {};
  for (const [name, parameter] of Object.entries(written)) {
    const field = parameter.field === undefined ? undefined : renaming.mapName(parameter.field);
    const where = parameter.where && renameCondition(renaming, parameter.where);
    const all =
      parameter.named &&
      Object.entries(parameter.named).map(([key, one]) => [key, renameCondition(renaming, one)] as const);
    const some = all && Object.fromEntries(all.filter(([, one]) => one !== null));
    if (field === null || where === null || (some && Object.keys(some).length === 0)) {
      renaming.onRemoved(`the parameter "${name}"`);
      continue;
    }
    const stands = name === parameter.field && parameter.kind !== 'month' ? field! : name;
    result[stands] = replaceValues(renaming, parameter, `the parameter "${name}"`, {
      field: () => field,
      where: () => where,
      named: () => some,
    });
  }
  return result;
}

/** The form with renamed fields. Empty sections are removed. */
export function renameForm(renaming: Renaming, form: FormSource): FormSource {
  const sections = replaceValues(renaming, form, 'the form', {
    sections: (list) =>
      entries(list, (section) => {
        const fields = renameNames(renaming, section.fields);
        if (fields.length === 0) return null;
        return withAlternatives({ ...section, fields }, (names) => renameNames(renaming, names));
      }),
    redirects: (list) =>
      entries(list, (redirect) => {
        const when = redirect.when && renameCondition(renaming, redirect.when);
        return when === null ? null : { ...redirect, ...(when && { when }) };
      }),
  });
  return replaceValues(renaming, sections, 'tabs of the form', {
    tabs: (list) =>
      entries(list, (tab) => {
        const query = renameValues(renaming, tab.query, tab.list);
        if (Object.keys(query).length < Object.keys(tab.query).length) return null;
        const made = { ...tab, query };
        return replaceValues(renaming, made, 'tabs of the form', {
          values: (values) => renameValues(renaming, values, tab.list),
          visible: (visible) => renameCondition(renaming, visible),
        });
      }),
  });
}

/** The page of a record with renamed fields. */
export function renamePage(renaming: Renaming, page: PageSource): PageSource {
  return replaceValues(renaming, page, 'the page of a record', {
    chips: (list) => renameNames(renaming, list),
    rail: (list) => renameNames(renaming, list),
    sections: (list) =>
      entries(list, (section) => {
        const fields = renameNames(renaming, section.fields);
        return fields.length === 0 ? null : { ...section, fields };
      }),
    related: (list) => renameNames(renaming, list),
    stream: (list) =>
      entries(list, (one) => {
        const query = renameValues(renaming, one.query, one.list);
        if (Object.keys(query).length < Object.keys(one.query).length) return null;
        if (one.list !== renaming.resource) return { ...one, query };
        const [at, text] = [renaming.mapName(one.at), renameTemplate(renaming, one.text)];
        const by = one.by === undefined ? undefined : renaming.mapName(one.by);
        if (at === null || text === null) return null;
        const { by: _who, ...rest } = one;
        return { ...rest, query, at, ...(by != null && { by }), text };
      }),
  });
}

/** A request with renamed fields. */
export function renameRequest(renaming: Renaming, name: string, request: RequestSource): RequestSource {
  const sets = new Set(Array.isArray(request.sets) ? request.sets : request.asks);
  const sent: Renaming = { ...renaming, mapName: (one) => (sets.has(one) ? renaming.mapName(one) : one) };
  const made = replaceValues(renaming, request, `the request "${request.label}"`, {
    sets: (sets) => nullIfEmpty(Array.isArray(sets) ? renameNames(renaming, sets) : renameKeys(renaming, sets)),
    asks: (list) => nullIfEmpty(renameNames(renaming, list)),
    where: (where) => renameConditionOrReport(renaming, where, joinPointer('/requests', name, 'where')),
    adds: (adds) => {
      const relation = adds.resource === renaming.resource ? renaming.mapName(adds.relation) : adds.relation;
      if (relation === null) return null;
      return {
        ...adds,
        relation,
        fields: adds.resource === renaming.resource ? renameNames(renaming, adds.fields) : adds.fields,
      };
    },
    required: (list) => nullIfEmpty(renameNames(sent, list)),
    ignored: (list) => nullIfEmpty(renameNames(sent, list)),
    visible: (visible) => {
      const all = Object.entries(renameKeys(sent, visible)).map(
        ([key, one]) => [key, renameCondition(renaming, one)] as const,
      );
      return nullIfEmpty(Object.fromEntries(all.filter(([, one]) => one !== null)));
    },
    list: (list) =>
      replaceValues(renaming, list, '', { query: (query) => renameValues(renaming, query, list.resource) }),
  });
  if (!made.sets && !made.adds) renaming.onUnresolved(joinPointer('/requests', name));
  return made;
}

/** The import with renamed fields. */
export function renameImport(renaming: Renaming, written: ImportSource): ImportSource {
  return replaceValues(renaming, written, 'the import', {
    ask: (name) => renaming.mapName(name),
    fields: (list) => nullIfEmpty(renameNames(renaming, list)),
    match: (list) => (renameNames(renaming, list).length < list.length ? null : renameNames(renaming, list)),
    synonyms: (all) => nullIfEmpty(renameKeys(renaming, all)),
    values: (all) => nullIfEmpty(renameKeys(renaming, all)),
    paths: (list) =>
      entries(list, (path) => (renameNames(renaming, path).length < path.length ? null : renameNames(renaming, path))),
    steps: (list) => nullIfEmpty(renameNames(renaming, list)),
    tools: (list) =>
      list.map((tool) =>
        replaceValues(renaming, tool, '', {
          columns: (columns) =>
            Object.fromEntries(
              Object.entries(columns).flatMap(([heading, name]) => {
                const next = name === null ? null : renaming.mapName(name);
                return next === null && name !== null ? [] : [[heading, next]];
              }),
            ),
          values: (all) => nullIfEmpty(renameKeys(renaming, all)),
        }),
      ),
  });
}

/** A rule with renamed fields. A rule that refers to a removed field is not changed silently. */
export function renameRule(renaming: Renaming, rule: RuleSource, index: number): RuleSource {
  const here = joinPointer('/rules', index);
  return replaceValues(renaming, rule, 'rules', {
    where: (where) => renameConditionOrReport(renaming, where, joinPointer(here, 'where')),
    fields: (list) => {
      const left = nullIfEmpty(renameNames(renaming, list));
      if (left === null) renaming.onUnresolved(joinPointer(here, 'fields'));
      return left ?? list;
    },
    except: (list) => nullIfEmpty(renameNames(renaming, list)),
  });
}

/** A validation rule with renamed fields; null if it refers to a removed one. */
export function renameValidation(renaming: Renaming, rule: ValidationRule): ValidationRule | null {
  const at = renaming.mapName(rule.at);
  const must = renameConditionOrNull(renaming, rule.must);
  const when = rule.when && renameConditionOrNull(renaming, rule.when);
  if (at !== null && must !== null && when !== null) return { ...rule, at, must, ...(when && { when }) };
  renaming.onRemoved(`the rule "${rule.message}"`);
  return null;
}

/** A unique combination with renamed fields; null without one of them, since it would then refuse other records. */
export function renameUnique(renaming: Renaming, rule: string[] | UniqueSource): string[] | UniqueSource | null {
  const written = Array.isArray(rule) ? { fields: rule } : rule;
  const fields = renameNames(renaming, written.fields);
  const where = 'where' in written && written.where ? renameConditionOrNull(renaming, written.where) : undefined;
  if (fields.length < written.fields.length || where === null) return null;
  return Array.isArray(rule) ? fields : { ...written, fields, ...(where && { where }) };
}
