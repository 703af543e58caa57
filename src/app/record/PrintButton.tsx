import Button from '@mui/material/Button';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { reportError } from '../data/ErrorToasts';
import { Icon } from '../icons/Icon';
import { useApi } from '../session/apiClient';
import * as styles from './requests/requests.module.css';

/** Opens the printed page of a record in a new tab. Nothing for a definition without one. */
export function PrintButton({ definition, record }: { definition: Definition; record: ResourceRecord }) {
  const ask = useApi();
  if (!definition.print) return null;
  const open = () => {
    // The browser opens a tab only during the click itself.
    const tab = window.open('', '_blank');
    import('./showPrint')
      .then(({ showPrint }) => showPrint(`/${definition.name}/${String(record.id)}/print`, tab, ask))
      .catch((error: Error) => {
        tab?.close();
        reportError(error);
      });
  };
  return (
    <Button
      variant="outlined"
      startIcon={<Icon name="print" />}
      className={styles.barRequest}
      aria-label="Print"
      onClick={open}
    >
      <span className={styles.barRequestWord}>Print</span>
    </Button>
  );
}
