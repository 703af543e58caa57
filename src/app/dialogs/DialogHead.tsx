import DialogTitle from '@mui/material/DialogTitle';
import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { Icon } from '../icons/Icon';

interface DialogHeadProps {
  /** The id that the dialog is labelled by. */
  id: string;
  /** The title. */
  children: ReactNode;
  size?: IconButtonProps['size'];
  disabled?: boolean;
  onClose: () => void;
}

/** The title of a dialog beside a button that closes it, which is no part of the dialog's name. */
export function DialogHead({ id, children, size, disabled, onClose }: DialogHeadProps) {
  return (
    <DialogTitle component="div">
      <h2 id={id}>{children}</h2>
      <IconButton aria-label="Close" sx={{ ml: 'auto' }} {...{ size, disabled }} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </DialogTitle>
  );
}
