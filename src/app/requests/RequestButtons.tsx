import Button from '@mui/material/Button';
import { formatNumber } from '../../engine/formats/numbers';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { isOneClick } from '../../engine/lists/fixed-requests';
import { canRequest } from '../../engine/lists/row-actions';
import { useDefinitions } from '../admin/DefinitionsContext';
import { useEvaluationContext } from '../admin/useEvaluationContext';
import { Icon } from '../icons/Icon';
import { useMakeRequest } from './useMakeRequest';
import { useRequestTotal } from './useRequestTotal';
import * as styles from './requests.module.css';

interface RequestButtonsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** A button for each request on a form's record, with the number of records it created so far. */
export function RequestButtons({ definition, record }: RequestButtonsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  return Object.values(definition.requests)
    .filter((request) => canRequest(definition, request, record, actor, evaluationContext))
    .map((request) => <RequestButton key={request.name} {...{ definition, record, request }} />);
}

function RequestButton({ definition, record, request }: RequestButtonsProps & { request: RequestDefinition }) {
  const makeRequest = useMakeRequest(definition);
  const total = useRequestTotal(request, record);
  return (
    <Button
      variant="outlined"
      startIcon={<Icon name={request.icon} />}
      className={styles.barRequest}
      aria-haspopup={isOneClick(request) ? undefined : 'dialog'}
      aria-label={total === undefined ? request.label : `${request.label}, ${formatNumber(total)}`}
      onClick={() => makeRequest(request, record)}
    >
      <span className={styles.barRequestWord}>{request.label}</span>
      {total !== undefined && <span className={`${styles.requestButtonCount} num`}>{formatNumber(total)}</span>}
    </Button>
  );
}
