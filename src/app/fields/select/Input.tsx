import { useMemo } from 'react';
import { ChoiceInput } from '../../choices/ChoiceInput';
import { optionSource } from '../../choices/loadChoices';
import type { InputProps } from '../fieldComponents';

/** One of the definition's options. */
export function Input({ choices, ...props }: InputProps) {
  const { options } = props.field;
  const source = useMemo(() => choices ?? optionSource(options ?? []), [choices, options]);
  return <ChoiceInput {...props} source={source} />;
}
