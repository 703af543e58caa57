import type { FieldOf } from '../../../engine/definitions/definition';
import { useMemo } from 'react';
import { ChoiceInput } from '../../choices/ChoiceInput';
import { optionSource } from '../../choices/loadChoices';
import type { InputFacets, InputProps } from '../fieldType';

/** One of the definition's options. */
function Input({ choices, ...props }: InputProps<FieldOf<'select'>>) {
  const { options } = props.field;
  const source = useMemo(() => choices ?? optionSource(options), [choices, options]);
  return <ChoiceInput {...props} source={source} />;
}

export default { Input } satisfies InputFacets<FieldOf<'select'>>;
