import type { Actor } from '../access/actor';
import { predicateOf } from '../conditions/evaluate';
import { isVariable, type Predicate } from '../conditions/grammar';
import { recordFieldsIn } from '../conditions/variables-in';
import { namesInAnswers } from '../definitions/answered-names';
import type { Column, Condition, Definition } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import type { Registry } from '../definitions/registry';
import { cardOf } from './cards';
import { leadersOf } from './leaders';
import { listColumns, shownColumns, type ColumnChoice } from './columns';

/** Whether a record is archived, its company and its version. */
const state = ['archive', 'archived_at', 'site_id', 'updated_at'];

/**
 * The properties that a list requests for each record, in the order of the fields: for the visible columns, cards and
 * board, for deciding which actions to offer, and for the initial values of those actions. A newly shown column is
 * requested from then on.
 */
export function askedFields(
  definition: Definition,
  registry: Registry,
  actor: Actor,
  choices: readonly ColumnChoice[] | null,
  filtered: Iterable<string> = [],
): readonly string[] {
  const columns = listColumns(definition, actor);
  const shown = shownColumns(columns, choices);
  return namesOf(
    definition,
    registry,
    columns.filter(({ field }) => shown.has(field)),
    filtered,
  );
}

function namesOf(
  definition: Definition,
  registry: Registry,
  columns: readonly Column[],
  filtered: Iterable<string>,
): readonly string[] {
  const { list, rules, requests } = definition;
  const paths = [
    ...state,
    ...templateFields(definition.recordTitle),
    definition.titleField,
    ...columns.map(({ field }) => field),
    ...filtered,
    ...shownOnCards(definition),
    ...shownOnBoard(definition),
    ...list.bulkEdit,
    ...leadersOf(definition, registry).map(({ field }) => field),
    ...rules.flatMap(({ where }) => comparedIn(where)),
    ...comparedIn(list.highlight?.when),
    ...definition.delete.when.flatMap((one) => comparedIn(one.if)),
    ...Object.values(requests).flatMap(({ sets, visible }) => [...sets, ...Object.values(visible).flatMap(comparedIn)]),
    ...list.actions.flatMap(({ visible, visibleOnRecord, goTo, opens, calls }) => [
      ...comparedIn(visible),
      ...comparedIn(visibleOnRecord),
      ...recordFieldsOf([goTo?.filter, opens?.values, calls?.body]),
      ...(opens ? dependedOn(registry.get(opens.resource)) : []),
    ]),
  ];
  const named = new Set(paths.map((path) => path.split('.')[0]!));
  const fields = Object.values(definition.fields).filter(
    ({ name, embed, countAs }) => named.has(name) || (embed !== undefined && named.has(embed)) || named.has(countAs),
  );
  const names = fields.flatMap((field) => namesInAnswers(field, 'list'));
  return [...new Set(['id', ...names])];
}

function shownOnCards(definition: Definition): string[] {
  const { title, subtitle = '', mark, marks, lines, person, counts } = cardOf(definition);
  const own = [mark, ...marks, ...lines.map(({ field }) => field), ...counts.map(({ field }) => field)];
  return [...templateFields(title), ...templateFields(subtitle), ...own, ...(person ? [person] : [])];
}

function shownOnBoard({ list: { kanban } }: Definition): string[] {
  if (!kanban) return [];
  const { column, lines, priority, person, due, late, counts } = kanban;
  return [column, priority, person, due, late, ...lines.map(({ field }) => field), ...counts].filter(
    (one) => one !== undefined,
  );
}

/** The fields of the record that a condition reads. */
function comparedIn(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const found = [...recordFieldsIn(condition)];
  const collect = (one: Predicate): void => {
    if (one.kind === 'all' || one.kind === 'any') one.of.forEach(collect);
    else if (one.kind === 'not') collect(one.of);
    else if (one.kind === 'some') found.push(one.field);
    else for (const side of [one.left, one.right]) if (typeof side === 'string' && !isVariable(side)) found.push(side);
  };
  collect(predicateOf(condition));
  return found;
}

/** The fields used by values such as `$record.project_id`. */
function recordFieldsOf(values: unknown): string[] {
  if (typeof values === 'string') return /^\$record\.(\w+)/.exec(values)?.slice(1, 2) ?? [];
  return typeof values === 'object' && values !== null ? Object.values(values).flatMap(recordFieldsOf) : [];
}

/** The fields that the choices of a new record depend on, which it takes from the record it is added to. */
function dependedOn(target: Definition | undefined): string[] {
  return Object.values(target?.fields ?? {}).flatMap(({ choices }) => (choices ? recordFieldsIn(choices) : []));
}
