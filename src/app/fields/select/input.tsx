import type { FieldOf } from '../../../engine/definitions/definition';
import { isEmpty } from '../../../engine/values/is-empty';
import { useMemo } from 'react';
import { ChoiceInput } from '../choices/ChoiceInput';
import { ManyChoicesInput } from '../choices/ManyChoicesInput';
import { optionSource } from '../choices/loadChoices';
import type { InputFacets, InputProps } from '../fieldType';

/** One of the definition's options, or several as chips. */
function Input({ choices, ...props }: InputProps<FieldOf<'select'>>) {
  const { options } = props.field;
  const source = useMemo(() => choices ?? optionSource(options), [choices, options]);
  if (!props.field.multiple) return <ChoiceInput {...props} source={source} />;
  const change = (values: unknown) => props.onChange(isEmpty(values) ? undefined : values);
  return <ManyChoicesInput {...props} onChange={change} source={source} />;
}

export default { Input } satisfies InputFacets<FieldOf<'select'>>;
