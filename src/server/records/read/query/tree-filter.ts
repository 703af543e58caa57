import type { Predicate } from '../../../../engine/conditions/grammar';
import { noBranch } from '../../../../engine/conditions/tree';
import type { Definition } from '../../../../engine/definitions/definition';
import { parseId } from '../../../../engine/field-types/relation';
import { accessFilterIfGranted, allOf, readableFields } from '../../../access/access-filter';
import type { RecordScope } from '../../../access/record-scope';
import type { RequestContext } from '../../../access/request-context';
import { BadRequest } from '../../../errors/errors';
import { quoteValue } from './values';
import { firstOf } from '../../../../engine/values/lookups';

/** The tree beside a list, as the caller sees it. */
export interface VisibleTree {
  readonly target: Definition;
  /** The relations to its records: a record is in the branch that the first with a value names. */
  readonly names: readonly string[];
  /** The records that are part of it: those that the caller may list, archived ones included. */
  readonly visibleRecords: Predicate;
}

/** The tree of a list; undefined if it has none, or if the caller may not read the relations or list its records. */
export function visibleTree(context: RequestContext, definition: Definition): VisibleTree | undefined {
  const names = definition.list.tree;
  const target = names && context.registry.get(definition.fields[firstOf(names)]?.to ?? '');
  const readable = readableFields(context.actor, definition).always;
  if (!target || !names.every((name) => readable.has(name))) return undefined;
  const visibleRecords = accessFilterIfGranted(context, target, 'list', { archived: 'any' });
  return visibleRecords && { target, names, visibleRecords };
}

/**
 * The records in some branches (their ids, separated by commas or as a list), or in none: those whose relations are
 * empty, or lead to a record that the caller may not list. Every record of a list is in a branch or in none.
 */
export function treeFilter({ context, definition }: RecordScope, name: string, value: unknown): Predicate {
  const tree = visibleTree(context, definition);
  if (!tree) throw new BadRequest(`Unknown filter ${quoteValue(name).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  const { names, visibleRecords } = tree;
  const inTree = (test: Predicate): Predicate => ({
    kind: 'any',
    of: names.map((field, index) =>
      allOf([...names.slice(0, index).map(isEmpty), { kind: 'some', field, of: allOf([visibleRecords, test]) }]),
    ),
  });
  if (value === noBranch) return { kind: 'not', of: inTree({ kind: 'all', of: [] }) };
  const ids = (Array.isArray(value) ? value : String(value).split(',')).map((id) => parseId(String(id)));
  if (ids.length === 0 || ids.includes(undefined))
    throw new BadRequest(`${name} must be the ids of records of the tree, or ${noBranch}, not ${quoteValue(value)}.`);
  // A branch that leads through records that the caller may not list would tell of them.
  return inTree({ kind: 'compare', left: 'id', operator: '$below', right: ids, within: visibleRecords });
}

function isEmpty(left: string): Predicate {
  return { kind: 'compare', left, operator: '$eq', right: null };
}
