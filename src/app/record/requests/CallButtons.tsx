import Button from '@mui/material/Button';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { useCall } from '../../actions/useCall';
import * as styles from './requests.module.css';

interface CallButtonsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** A button for each call that the user may make on a form's record. */
export function CallButtons({ definition, record }: CallButtonsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const makeCall = useCall();
  const actions = recordActions(definition, record, actor, evaluationContext).filter(
    ({ calls }) => calls !== undefined,
  );
  return actions.map((action) => (
    <Button
      key={action.name}
      variant="outlined"
      startIcon={<Icon name={action.icon} />}
      className={styles.barRequest}
      aria-label={action.label}
      onClick={() => makeCall(action, record)}
    >
      <span className={styles.barRequestWord}>{action.label}</span>
    </Button>
  ));
}
