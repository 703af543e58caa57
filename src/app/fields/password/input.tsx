import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useState } from 'react';
import { Icon } from '../../icons/Icon';
import type { InputFacets, InputProps } from '../fieldType';
import { newPasswordProblem } from '../../passwords/newPassword';
import { lazyComponent } from '../../states/lazyComponent';
import { TextBox } from '../TextBox';

const StrengthMeter = lazyComponent(() =>
  import('../../passwords/StrengthMeter').then((part) => ({ default: part.StrengthMeter })),
);

/**
 * A password with a button to show it. The strength meter is left out for the current password (`current_…`) and the
 * confirmation (`confirm_…`).
 */
function Input({ value, onChange, onPending, ...props }: InputProps) {
  const [visible, setVisible] = useState(false);
  const { name } = props.field;
  const isCurrent = name.startsWith('current_');
  const isNew = !props.readOnly && !isCurrent && !name.startsWith('confirm_');
  const text = typeof value === 'string' ? value : '';
  const problem = isNew && text !== '' ? newPasswordProblem(text) : undefined;
  const report = useEffectEvent(() => onPending?.(problem));
  useEffect(() => report(), [problem]);
  const box = (
    <TextBox
      {...props}
      type={visible ? 'text' : 'password'}
      autoComplete={isCurrent ? 'current-password' : 'new-password'}
      text={text}
      onText={(text) => onChange(text === '' ? undefined : text)}
      end={
        !props.readOnly && (
          <IconButton
            size="small"
            edge="end"
            aria-label={visible ? 'Hide what I typed' : 'Show what I typed'}
            aria-pressed={visible}
            onClick={() => setVisible(!visible)}
          >
            <Icon name={visible ? 'eye-off' : 'eye'} />
          </IconButton>
        )
      }
    />
  );
  if (!isNew) return box;
  return (
    <>
      {box}
      <StrengthMeter password={text} />
    </>
  );
}

export default { Input } satisfies InputFacets;
