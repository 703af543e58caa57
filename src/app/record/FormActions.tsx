import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import { OthersHere } from '../presence/OthersHere';
import { PrintButton } from './PrintButton';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './requests/requests.module.css';
import { pagePath, recordActions } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { useCall } from '../actions/useCall';

const RequestButtons = lazyComponent(() =>
  import('./requests/RequestButtons').then((part) => ({ default: part.RequestButtons })),
);

interface FormActionsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  /** The user has changed something that is not stored yet. */
  editing: boolean;
}

/** The bar above a stored record's form: who else is there, its history, its page for reading, and requests. */
export function FormActions({ definition, record, editing }: FormActionsProps) {
  return (
    <PageActions>
      <OthersHere {...{ definition, record, editing }} />
      {definition.history && (
        <Button
          component={Link}
          to={`/${definition.name}/${String(record.id)}/history`}
          variant="outlined"
          startIcon={<Icon name="history" />}
          className={styles.barRequest}
          aria-label="History"
        >
          <span className={styles.barRequestWord}>History</span>
        </Button>
      )}
      {definition.page && (
        <Button
          component={Link}
          to={pagePath(definition.name, record.id)}
          variant="outlined"
          startIcon={<Icon name="panel" />}
          className={styles.barRequest}
          aria-label="Read"
        >
          <span className={styles.barRequestWord}>Read</span>
        </Button>
      )}
      <PrintButton definition={definition} record={record} />
      <CallButtons definition={definition} record={record} />
      {Object.keys(definition.requests).length > 0 && <RequestButtons definition={definition} record={record} />}
    </PageActions>
  );
}

interface CallButtonsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** A button for each call that the user may make on a form's record. */
function CallButtons({ definition, record }: CallButtonsProps) {
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
