import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import { CallButtons } from './requests/CallButtons';
import { OthersHere } from '../presence/OthersHere';
import { PrintButton } from './PrintButton';
import { RequestButtons } from './requests/RequestButtons';
import * as styles from './requests/requests.module.css';

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
          to={`/${definition.name}/${String(record.id)}/page`}
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
      <RequestButtons definition={definition} record={record} />
    </PageActions>
  );
}
