import type { Actor } from '../access/actor';
import { predicateOf } from '../conditions/match-condition';
import { isVariable, type Predicate } from '../conditions/grammar';
import { recordFieldsIn } from '../conditions/variables-in';
import { responseNamesOf } from '../registry/response-names';
import type { Column, Condition, DaysView, Definition } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { isSequence } from '../field-types/sequence';
import type { Registry } from '../registry/registry';
import { cardOrDefault } from './cards';
import { archivingParentsOf } from './archiving-parents';
import { withShown } from './shown-with';
import { readableColumns, visibleColumnNames, type ColumnChoice } from './columns';
import { firstOf, propertyOf } from '../values/lookups';

/** Whether a record is archived, its company and its version. */
const stateFields = ['archive', 'archived_at', 'site_id', 'updated_at'];

/**
 * The properties that a list requests for each record, in the order of the fields: for the visible columns, cards and
 * board, for deciding which actions to offer, and for the initial values of those actions. A newly shown column is
 * requested from then on.
 *
 * @example requestedFields(definition, registry, actor, null).join(); // '?fields=' of the list's call
 */
export function requestedFields(
  definition: Definition,
  registry: Registry,
  actor: Actor,
  choices: readonly ColumnChoice[] | null,
  filteredNames: Iterable<string> = [],
): readonly string[] {
  const columns = readableColumns(definition, actor);
  const shownNames = visibleColumnNames(columns, choices);
  return requestedNames(
    definition,
    registry,
    columns.filter(({ field }) => shownNames.has(field)),
    filteredNames,
  );
}

function requestedNames(
  definition: Definition,
  registry: Registry,
  columns: readonly Column[],
  filteredNames: Iterable<string>,
): readonly string[] {
  const { list, rules, requests } = definition;
  const paths = [
    ...stateFields,
    ...templateFields(definition.recordTitle),
    definition.titleField,
    ...Object.values(definition.fields).flatMap((field) => (isSequence(field) ? [field.name] : [])),
    ...columns.flatMap(({ field, secondLine = [], parts = [] }) => [
      field,
      ...secondLine,
      ...parts.map((part) => part.field),
    ]),
    ...filteredNames,
    ...cardFields(definition),
    ...boardFields(definition),
    ...galleryFields(definition),
    ...list.bulkEdit,
    ...list.inlineEdit,
    ...(list.tree ?? []),
    // A record that is added to a group takes them from the records of the group.
    ...(list.quickAdd ? parentFieldsOfNewRecord(definition) : []),
    ...archivingParentsOf(definition, registry).map(({ field }) => field),
    ...rules.flatMap(({ where: condition }) => fieldsInCondition(condition)),
    ...list.highlight.flatMap(({ where: condition }) => fieldsInCondition(condition)),
    ...definition.delete.confirmations.flatMap((confirmation) => fieldsInCondition(confirmation.where)),
    ...Object.values(requests).flatMap(({ sets, visible, where: condition, from: origin }) => [
      ...sets,
      ...(origin ? [origin.field] : []),
      ...fieldsInCondition(condition),
      ...Object.values(visible).flatMap(fieldsInCondition),
    ]),
    ...list.actions.flatMap((action) => [
      ...fieldsInCondition(action.visible),
      ...fieldsInCondition(action.visibleOnRecord),
      ...recordFieldsOf([action.goTo?.filter, action.opens?.values, action.opens?.initial, action.calls?.body]),
      ...templateFields(action.screen ?? ''),
      ...(action.opens ? parentFieldsOfNewRecord(registry.get(action.opens.resource)) : []),
    ]),
  ];
  const namedFields = withShown(
    definition,
    paths.map((path) => (Object.hasOwn(definition.fields, path) ? path : firstOf(path.split('.')))),
  );
  const fields = Object.values(definition.fields).filter(
    ({ name, embed, countName }) =>
      namedFields.has(name) ||
      (embed !== undefined && namedFields.has(embed)) ||
      (countName !== undefined && namedFields.has(countName)),
  );
  const names = fields.flatMap((field) => responseNamesOf(field, 'list'));
  return [...new Set(['id', ...names])];
}

function cardFields(definition: Definition): string[] {
  const { title, subtitle = '', mark, key = 'id', marks, lines, person, counts } = cardOrDefault(definition);
  const parts = lines.flatMap(
    ({ field }) => definition.list.columns.find((column) => column.field === field)?.parts ?? [],
  );
  const cardNames = [mark, key, ...marks, ...[...lines, ...parts, ...counts].map(({ field }) => field)];
  return [...templateFields(title), ...templateFields(subtitle), ...cardNames, ...(person ? [person] : [])];
}

function boardFields({ fields, list: { kanban } }: Definition): string[] {
  if (!kanban) return [];
  const { column, lines, priority, person, due: dueField, overdue, counts } = kanban;
  // Whether a card can be moved to a column.
  const { transitions = [], readOnlyWhen } = propertyOf(fields, column);
  const moves = transitions.flatMap(({ where: condition, requiredFields }) => [
    ...requiredFields,
    ...fieldsInCondition(condition),
  ]);
  return [
    ...[column, priority, person, dueField, overdue].filter((name) => name !== undefined),
    ...lines.map(({ field }) => field),
    ...counts,
    ...moves,
    ...(kanban.request === undefined ? fieldsInCondition(readOnlyWhen) : []),
  ];
}

function galleryFields({ list: { gallery } }: Definition): string[] {
  if (!gallery) return [];
  return [...(gallery.image ? [gallery.image] : []), ...templateFields(gallery.title ?? ''), ...gallery.fields];
}

/**
 * The names that a calendar or timeline needs of each record, besides those of its list.
 *
 * @example requestedFields(tasks, registry, actor, null, daysViewFields(tasks, tasks.list.calendar));
 */
export function daysViewFields({ fields }: Definition, days: DaysView): readonly string[] {
  const { start, end, title = '', colour, person, group, done: doneCondition } = days;
  const ownNames = [start, end, colour, person, group].filter((name) => name !== undefined);
  const locks = [start, end].flatMap((name) => fieldsInCondition(fields[name ?? '']?.readOnlyWhen));
  return [
    ...ownNames,
    ...templateFields(title).map((path) => firstOf(path.split('.'))),
    ...fieldsInCondition(doneCondition),
    ...locks,
  ];
}

/** The fields of the record that a condition reads. */
function fieldsInCondition(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const names = [...recordFieldsIn(condition)];
  const collect = (predicate: Predicate): void => {
    if (predicate.kind === 'all' || predicate.kind === 'any') predicate.of.forEach(collect);
    else if (predicate.kind === 'not') collect(predicate.of);
    else if (predicate.kind === 'some') names.push(predicate.field);
    else
      for (const side of [predicate.left, predicate.right])
        if (typeof side === 'string' && !isVariable(side)) names.push(side);
  };
  collect(predicateOf(condition));
  return names;
}

/** The fields used by values such as `$record.project_id`. */
function recordFieldsOf(values: unknown): string[] {
  if (typeof values === 'string') return /^\$record\.(\w+)/.exec(values)?.slice(1, 2) ?? [];
  return typeof values === 'object' && values !== null ? Object.values(values).flatMap(recordFieldsOf) : [];
}

/** The fields that the choices of a new record depend on, which it takes from the record it is added to. */
function parentFieldsOfNewRecord(target: Definition | undefined): string[] {
  return Object.values(target?.fields ?? {}).flatMap(({ choices }) => (choices ? recordFieldsIn(choices) : []));
}
