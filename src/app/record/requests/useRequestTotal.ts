import { isGranted } from '../../../engine/access/access-decision';
import type { RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useResolvedValues } from '../../data/useEvaluationContext';
import { useTotal } from '../../list/useTotal';

/** The number of records listed beside a request's form; undefined while loading, and where there is no such list. */
export function useRequestTotal(
  request: RequestDefinition | undefined,
  record: ResourceRecord | undefined,
): number | undefined {
  const { actor } = useDefinitions();
  const list = request?.list ?? null;
  const isEnabled = list !== null && record !== undefined && isGranted(actor, list.resource, 'list');
  return useTotal(list?.resource ?? '', useResolvedValues(list?.filter, record), isEnabled);
}
