import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { AddressesDialog } from './AddressesDialog';
import * as styles from '../toolbar.module.css';

/** Opens the addresses of the form for people without an account. */
export default function PublicFormButton({ definition }: { definition: Definition }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" title="Public form" startIcon={<Icon name="link" />} onClick={() => setOpen(true)}>
        <span className={styles.listLabel}>Public form</span>
      </Button>
      {open && <AddressesDialog definition={definition} onClose={() => setOpen(false)} />}
    </>
  );
}
