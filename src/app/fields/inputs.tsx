import { createElement } from 'react';
import type { InputFacets, InputProps } from './fieldType';
import { createFacetLookup } from './registry';
import { TextInput } from './TextInput';

/** How a field's values are edited. */
export const inputOf = createFacetLookup(
  'input',
  import.meta.glob<InputFacets>('./*/input.tsx', { eager: true, import: 'default' }),
  { Input: TextInput },
);

/** The input of a value, by the type of its field. */
export function FieldInput(props: InputProps) {
  return createElement(inputOf(props.field).Input, props);
}
