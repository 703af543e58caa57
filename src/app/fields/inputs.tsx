import { createElement } from 'react';
import type { InputFacets, InputProps } from './fieldType';
import { createFacetLookup } from './registry';
import { TextBox } from './TextBox';

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

/** One line of text: the input of types without one of their own. */
function TextInput({ value, onChange, ...props }: InputProps) {
  return <TextBox {...props} text={asText(value)} onText={(text) => onChange(text === '' ? undefined : text)} />;
}

function asText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
