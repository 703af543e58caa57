import type { Actor } from '../access/actor';
import { isGranted } from '../access/decide';
import { mayDo } from '../access/may-do';
import { holds } from '../conditions/evaluate';
import type { Surroundings } from '../conditions/variables';
import type { Definition, ResourceRecord, RowAction } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { writeFilterValue } from './filter-text';
import { valuesFrom } from './presets';

/** Whether the record is archived. */
export function isArchived(record: ResourceRecord): boolean {
  return record.archive === true || record.archive === 1 || (record.archived_at ?? null) !== null;
}

/**
 * The actions that the actor can do on this record, in the definition's order: by grant, row rule and condition.
 * Without edit permission, editing becomes viewing. An archived record can only be viewed and restored.
 */
export function rowActions(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  surroundings: Surroundings,
): RowAction[] {
  const archived = isArchived(record);
  const may = (action: 'view' | 'edit' | 'delete') => mayDo(actor, definition, action, record, surroundings);
  return definition.list.actions.flatMap((action): RowAction[] => {
    if (action.visible && !holds(action.visible, record, { actor, ...surroundings })) return [];
    if (action.goTo) return !archived && isGranted(actor, action.goTo.resource, 'list') ? [action] : [];
    if (action.opens) return !archived && isGranted(actor, action.opens.resource, 'create') ? [action] : [];
    // A call writes or sends something, whatever permission it needs, so it is not offered while viewing as another
    // user.
    if (action.calls) return !archived && !actor.viewer && may(action.calls.needs) ? [action] : [];
    if (action.request) return mayRequest(definition, record, actor, surroundings) ? [action] : [];
    switch (action.name) {
      case 'edit':
        if (!archived && may('edit')) return [action];
        return may('view') && !archived ? [viewing] : [];
      case 'view':
        return may('view') ? [action] : [];
      case 'delete':
        return !archived && may('delete') ? [action] : [];
      case 'unarchive':
        return archived && may('edit') ? [action] : [];
      case 'copy':
        return !archived && isGranted(actor, definition.name, 'create') ? [action] : [];
      default:
        return [];
    }
  });
}

/** The row actions for a single record: on a card, or in its form. */
export function recordActions(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  surroundings: Surroundings,
): RowAction[] {
  return rowActions(definition, record, actor, surroundings).filter(
    ({ visibleOnRecord }) => !visibleOnRecord || holds(visibleOnRecord, record, { actor, ...surroundings }),
  );
}

/** Whether the actor can make the definition's requests on this record: requires permission to edit it. */
export function mayRequest(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  surroundings: Surroundings,
): boolean {
  return !isArchived(record) && mayDo(actor, definition, 'edit', record, surroundings);
}

const viewing: RowAction = { name: 'view', label: 'View', icon: 'eye' };

/** The path that opens a record: its form, editable or read-only; null if neither is allowed. */
export function openPath(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  surroundings: Surroundings,
): string | null {
  const may = (action: 'view' | 'edit') => mayDo(actor, definition, action, record, surroundings);
  if (!may('view') && !may('edit')) return null;
  return `/${definition.name}/${String(record.id)}`;
}

/** The path of a `goTo` action: the other list, with filters from this record. */
export function goToPath(action: RowAction, record: ResourceRecord, surroundings: Surroundings): string {
  const { resource, filter } = action.goTo!;
  const query = Object.entries(valuesFrom(filter, { ...surroundings, record }))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(writeFilterValue(value))}`)
    .join('&');
  return `/${resource}${query && `?${query}`}`;
}

/** The confirmation before this record is deleted. */
export function deleteQuestion(definition: Definition, record: ResourceRecord, surroundings: Surroundings): string {
  const special = definition.delete.when.find((one) => holds(one.if, record, surroundings));
  return special?.confirm ?? definition.delete.confirm;
}

/** The title of the record. */
export function recordTitle(definition: Definition, record: ResourceRecord): string {
  return fillTemplate(definition.recordTitle, record) || `#${String(record.id)}`;
}
