import type { Definition, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { canRequest, recordActions } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';

/** The actions that a user may run on a record: those of its row, and the requests that have none there. */
export function useOfferedActions(definition: Definition, record: ResourceRecord): RowAction[] {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const listedActions = recordActions(definition, record, actor, evaluationContext);
  const requestNames = new Set(listedActions.map(({ request }) => request));
  const requests = Object.values(definition.requests).filter(
    (request) => !requestNames.has(request.name) && canRequest(definition, request, record, actor, evaluationContext),
  );
  return [...listedActions, ...requests.map(({ name, label, icon }) => ({ name, label, icon, request: name }))];
}

/** The action that shows what was changed in a record; none for a resource that keeps no history. */
export function historyAction({ name, history }: Definition): RowAction[] {
  return history ? [{ name: 'history', label: 'History', icon: 'history', screen: `/${name}/{id}/history` }] : [];
}
