import type { Field } from '../definitions/definition';
import { fieldTypeOf, type ValueSchema } from '../field-types';

/** The form as JSON Schema: a property a field. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema & { readonly title: string }>>;
}

/** The name of the one widget: the application draws a field by its type. */
export const fieldWidget = 'field';

/** How each property is drawn. */
export type FormUiSchema = Readonly<
  Record<string, { readonly 'ui:widget': string; readonly 'ui:options': { readonly of: Field } }>
>;

/**
 * The form's schema. Values of any type are announced as text, because a property without a type is not drawn.
 *
 * @example formSchema(fields).properties; // { name: { type: 'string', title: 'Title' } }
 */
export function formSchema(fields: readonly Field[]): FormSchema {
  const property = (field: Field) => ({
    type: 'string' as const,
    ...fieldTypeOf(field).schema(field),
    title: field.label,
  });
  return { type: 'object', properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])) };
}

/**
 * The component for each property.
 *
 * @example <Form schema={formSchema(fields)} uiSchema={formUiSchema(fields)} />
 */
export function formUiSchema(fields: readonly Field[]): FormUiSchema {
  return Object.fromEntries(
    fields.map((field) => [field.name, { 'ui:widget': fieldWidget, 'ui:options': { of: field } }] as const),
  );
}
