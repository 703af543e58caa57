import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { Icon } from '../../icons/Icon';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** A new password, which an eye uncovers. */
export function Input({ value, onChange, ...props }: InputProps) {
  const [visible, setVisible] = useState(false);
  return (
    <TextBox
      {...props}
      type={visible ? 'text' : 'password'}
      autoComplete="new-password"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
      end={
        <IconButton
          size="small"
          edge="end"
          aria-label={visible ? 'Hide what I typed' : 'Show what I typed'}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          <Icon name={visible ? 'eye-off' : 'eye'} />
        </IconButton>
      }
    />
  );
}
