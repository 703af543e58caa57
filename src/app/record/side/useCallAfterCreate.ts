import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useCall } from '../../actions/useCall';

/**
 * Returns a function that makes the call that follows the creation of a record, if its definition has one and the user
 * may make it.
 */
export function useCallAfterCreate(definition: Definition): (stored: ResourceRecord) => void {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const makeCall = useCall(definition);
  return (record) => {
    const action = recordActions(definition, record, actor, evaluationContext).find(({ calls }) => calls?.afterCreate);
    if (action?.calls) makeCall({ ...action, calls: { ...action.calls, confirm: undefined } }, record);
  };
}
