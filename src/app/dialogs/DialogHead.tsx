import DialogTitle from '@mui/material/DialogTitle';
import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { Icon } from '../icons/Icon';

interface DialogHeadProps {
  /** The id that the dialog is labelled by. */
  id: string;
  /** The title. */
  children: ReactNode;
  /** The level of the heading. */
  level?: 1 | 2;
  /** Links beside the button. */
  links?: ReactNode;
  size?: IconButtonProps['size'];
  disabled?: boolean;
  onClose: () => void;
}

/** The title of a dialog beside a button that closes it, which is no part of the dialog's name. */
export function DialogHead({ id, children, level = 2, links, size, disabled, onClose }: DialogHeadProps) {
  const Heading = `h${level}` as const;
  return (
    // An id of its own: MUI would give it that of the heading, and so name the dialog by all of it.
    <DialogTitle component="div" id={`${id}-head`}>
      <Heading id={id}>{children}</Heading>
      {links}
      <IconButton aria-label="Close" {...{ size, disabled }} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </DialogTitle>
  );
}
