import Button from '@mui/material/Button';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { useActions } from '../../actions/useActions';
import * as styles from './side.module.css';

interface SideDeleteProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  onDeleted: () => void;
}

/** Deletes the record of a panel, after a question, for those who may. */
export function SideDelete({ definition, record, onDeleted }: SideDeleteProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const { run, dialogs } = useActions(definition, undefined, onDeleted);
  const action = recordActions(definition, record, actor, evaluationContext).find(({ name }) => name === 'delete');
  if (!action) return null;
  return (
    <>
      <Button
        variant="text"
        size="large"
        color="error"
        startIcon={<Icon name="trash" />}
        className={styles.formSideDelete}
        onClick={() => run(action, record)}
      >
        {action.label}
      </Button>
      {dialogs}
    </>
  );
}
