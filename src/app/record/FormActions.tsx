import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import { OthersHere } from '../presence/OthersHere';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './record.module.css';

const FormBar = lazyComponent(() => import('./FormBar'));

interface FormActionsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  /** The user has changed something that is not stored yet. */
  editing: boolean;
}

/** The bar above a stored record's form: who else is there, and what can be done with the record. */
export function FormActions({ definition, record, editing }: FormActionsProps) {
  const { name, page, print, requests, list, history } = definition;
  // Most records have a history alone, which needs no code of actions.
  const hasActions =
    Boolean(page) || Boolean(print) || Object.keys(requests).length > 0 || list.actions.some(({ calls }) => calls);
  return (
    <PageActions>
      <OthersHere {...{ definition, record, editing }} />
      {hasActions ? (
        <FormBar {...{ definition, record }} />
      ) : (
        history && (
          <Button
            className={styles.barButton}
            title="History"
            component={Link}
            to={`/${name}/${String(record.id)}/history`}
            variant="outlined"
            startIcon={<Icon name="history" />}
          >
            <span>History</span>
          </Button>
        )
      )}
    </PageActions>
  );
}
