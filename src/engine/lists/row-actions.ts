import type { Registry } from '../registry/registry';
import type { Actor } from '../access/actor';
import { isAmong } from '../access/audience';
import { isGranted } from '../access/access-decision';
import { canDo } from '../access/can-do';
import { matchesOnScreen, mayMatchOnScreen } from '../conditions/match-on-screen';
import { unwrapId, type EvaluationContext } from '../conditions/variables';
import type {
  Definition,
  ListDefinition,
  RequestDefinition,
  ResourceRecord,
  RowAction,
} from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { isSequence } from '../field-types/sequence';
import { formatTotal } from '../formats/numbers';
import { stateOf } from '../validation/state-of';
import { formatFilterValue } from './filter-text';
import { resolveValues } from './presets';
import { requireValue } from '../values/lookups';

/**
 * Whether the record is archived.
 *
 * @example isArchived({ archived_at: '2026-11-16T12:00:00Z' }); // true
 */
export function isArchived(record: ResourceRecord): boolean {
  return record.archive === true || record.archive === 1 || (record.archived_at ?? null) !== null;
}

/**
 * The actions that the actor can do on this record, in the definition's order: by grant, row rule and condition.
 * Without edit permission, editing becomes viewing. An archived record can only be viewed and restored.
 *
 * @example rowActions(definition, record, actor, evaluationContext).map(({ name }) => name); // ['view', 'copy']
 */
export function rowActions(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): RowAction[] {
  const archived = isArchived(record);
  const isAllowed = (action: 'view' | 'edit' | 'delete') => canDo(actor, definition, action, record, evaluationContext);
  return definition.list.actions.flatMap((action): RowAction[] => {
    if (!isAmong(actor, action)) return [];
    if (action.visible && !matchesOnScreen(definition, action.visible, record, { actor, ...evaluationContext }))
      return [];
    // It is for selected records and for a list.
    if (takesRecords(action)) return [];
    if (action.goTo) return !archived && isGranted(actor, action.goTo.resource, 'list') ? [action] : [];
    if (action.opens) return !archived && isGranted(actor, action.opens.resource, 'create') ? [action] : [];
    // A call writes or sends something, whatever permission it needs, and a screen of a product may: neither is offered
    // while viewing as another user.
    if (action.screen) return !archived && !actor.viewer && isAllowed('view') ? [action] : [];
    if (action.calls) {
      const { permission, grants = [] } = action.calls;
      const isOffered = !archived && !actor.viewer && isAllowed(permission);
      return isOffered && grants.every((grant) => isGranted(actor, grant.resource, grant.action)) ? [action] : [];
    }
    const request = action.request === undefined ? undefined : definition.requests[action.request];
    if (request) return canRequest(definition, request, record, actor, evaluationContext) ? [action] : [];
    switch (action.name) {
      case 'edit':
        if (!archived && isAllowed('edit')) return [action];
        return isAllowed('view') && !archived ? [viewAction] : [];
      case 'view':
        return isAllowed('view') ? [action] : [];
      case 'delete':
        return !archived && isAllowed('delete') ? [action] : [];
      case 'unarchive':
        return archived && isAllowed('edit') ? [action] : [];
      case 'copy':
        return !archived && isGranted(actor, definition.name, 'create') ? [action] : [];
      default:
        return [];
    }
  });
}

/**
 * The row actions for a single record: on a card, or in its form.
 *
 * @example recordActions(definition, record, actor, evaluationContext).filter(({ calls }) => calls);
 */
export function recordActions(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): RowAction[] {
  return rowActions(definition, record, actor, evaluationContext).filter(
    ({ visibleOnRecord }) =>
      !visibleOnRecord || matchesOnScreen(definition, visibleOnRecord, record, { actor, ...evaluationContext }),
  );
}

/**
 * Whether the actor can make a request on this record: requires permission to edit it, and what the request says.
 *
 * @example canRequest(definition, definition.requests.approve, record, actor, evaluationContext);
 */
export function canRequest(
  definition: Definition,
  request: RequestDefinition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): boolean {
  if (isArchived(record) || !isAmong(actor, request) || !isFrom(definition, request, record)) return false;
  const requestContext = { ...evaluationContext, actor, record };
  if (request.where && !mayMatchOnScreen(definition, request.where, record, requestContext)) return false;
  return canDo(actor, definition, 'edit', record, evaluationContext);
}

/** Whether a record is in a state that a request leads on from, as far as the record tells. */
function isFrom({ fields }: Definition, { from: origin }: RequestDefinition, record: ResourceRecord): boolean {
  const field = origin && fields[origin.field];
  if (!field) return true;
  const state = stateOf(field, unwrapId(record[field.name] ?? null), { record });
  return state === undefined || (origin.states as readonly unknown[]).includes(state);
}

const viewAction: RowAction = { name: 'view', label: 'View', icon: 'eye' };

/**
 * The path that opens a record: its page, or its form, editable or read-only; null if neither is allowed.
 *
 * @example recordPathFor(definition, record, actor, evaluationContext); // '/tasks/7'
 */
export function recordPathFor(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): string | null {
  const isAllowed = (action: 'view' | 'edit') => canDo(actor, definition, action, record, evaluationContext);
  if (!isAllowed('view') && !isAllowed('edit')) return null;
  return recordPath(definition, record);
}

/**
 * Whether an action opens a screen for any number of records: its path names none of them. It is offered for selected
 * records and for a filtered list.
 *
 * @example takesRecords({ screen: '/test-runs/create' }); // true
 */
export const takesRecords = ({ screen }: Pick<RowAction, 'screen'>): boolean =>
  screen !== undefined && !screen.includes('{');

/**
 * Whether the actor may open the screen of an action for any number of records: a form of a new record is for those who may
 * create one.
 *
 * @example mayOpenScreen({ screen: '/test-runs/create' }, actor);
 */
export function mayOpenScreen(action: RowAction, actor: Actor): boolean {
  const [, resource] = /^\/([a-z][a-z0-9-]*)\/create$/.exec(action.screen ?? '') ?? [];
  if (actor.viewer || !isAmong(actor, action)) return false;
  return resource === undefined || isGranted(actor, resource, 'create');
}

/**
 * The label of an action for several records.
 *
 * @example labelForMany({ label: 'Run' }, 78); // 'Run these 78'
 */
export const labelForMany = ({ label }: Pick<RowAction, 'label'>, count: number): string =>
  count === 1 ? label : `${label} these ${formatTotal(count)}`;

/**
 * The path at which a record is opened: a screen of its own, its page, or its form.
 *
 * @example recordPath(definition, { id: 7 }); // '/tasks/7'
 */
export function recordPath({ name, list }: Definition, { id }: ResourceRecord): string {
  const screen = list.rowClick === 'screen' && ownScreen(list);
  if (screen) return screenPath(screen, { id });
  return list.rowClick === 'page' ? pagePath(name, id) : `/${name}/${String(id)}`;
}

/**
 * The path of a record's page.
 *
 * @example pagePath('tasks', 7); // '/tasks/7/view'
 */
export function pagePath(resource: string, id: unknown): string {
  return `/${resource}/${String(id)}/view`;
}

/**
 * The action that opens the screen of a record: the first one that every record has, without a condition.
 *
 * @example ownScreen(definition.list)?.screen; // '/test-runs/{id}/overview'
 */
export function ownScreen({ actions }: Pick<ListDefinition, 'actions'>): RowAction | undefined {
  const screens = actions.filter((action) => action.screen !== undefined && !takesRecords(action));
  return screens.find(({ visible }) => visible === undefined) ?? screens[0];
}

/**
 * Where a stored link leads: one to a record (`/tasks/7`) to where the record is opened, any other as it is.
 *
 * @example openedLink('/pages/7', registry); // '/pages/7/open'
 */
export function openedLink(link: string, registry: Pick<Registry, 'get'>): string {
  const [, name, id] = /^\/([a-z][a-z0-9-]*)\/(\d{1,16})$/.exec(link) ?? [];
  const definition = registry.get(name);
  return definition ? recordPath(definition, { id }) : link;
}

/**
 * The path of a `goTo` action: the other list, with filters from this record.
 *
 * @example goToPath(action, record, evaluationContext); // '/tasks?project_id=7'
 */
export function goToPath(action: RowAction, record: ResourceRecord, evaluationContext: EvaluationContext): string {
  const { resource, filter } = requireValue(action.goTo, `goTo of the action ${action.name}`);
  const query = Object.entries(resolveValues(filter, { ...evaluationContext, record }))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(formatFilterValue(value))}`)
    .join('&');
  return `/${resource}${query && `?${query}`}`;
}

/**
 * The path of a `screen` action.
 *
 * @example screenPath({ ...action, screen: '/test-runs/{id}/run' }, { id: 7 }); // '/test-runs/7/run'
 */
export function screenPath({ screen = '' }: RowAction, record: ResourceRecord): string {
  return screen.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(record[name] ?? '')));
}

/**
 * The confirmation before this record is deleted.
 *
 * @example deleteConfirmation(definition, record, evaluationContext); // 'Delete this task?'
 */
export function deleteConfirmation(
  definition: Definition,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): string {
  const specialCase = definition.delete.confirmations.find((candidate) =>
    matchesOnScreen(definition, candidate.where, record, evaluationContext),
  );
  return specialCase?.confirm ?? definition.delete.confirm;
}

/**
 * The title of the record.
 *
 * @example recordTitle(users, { id: 7, first_name: 'Ada', last_name: 'Larsen' }); // 'Ada Larsen'
 */
export function recordTitle(definition: Definition, record: ResourceRecord): string {
  return fillTemplate(definition.recordTitle, record) || `#${String(record.id)}`;
}

/**
 * The key of the record, if it has one, and its title (or another one) without it.
 *
 * @example keyedTitle(deals, { id: 7, key: 'D-7', name: 'Crane' }); // { key: 'D-7', name: 'Crane' }
 */
export function keyedTitle(
  definition: Definition,
  record: ResourceRecord,
  title = recordTitle(definition, record),
): { readonly key?: string; readonly name: string } {
  const field = Object.values(definition.fields).find(isSequence);
  const key = field && record[field.name];
  if (typeof key !== 'string' || key === '' || key === title) return { name: title };
  return { key, name: title.startsWith(`${key} `) ? title.slice(key.length + 1) : title };
}
