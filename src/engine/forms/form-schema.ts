import type { Field } from '../definitions/definition';
import { fieldTypeOf, type ValueSchema } from '../field-types';
import type { FormSection } from './form-fields';

/** The form as JSON Schema: a property a field. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema & { readonly title: string }>>;
}

/** How the form is drawn: its sections, and of each field the widget, by the name of its type, with its words. */
export interface FormUiSchema {
  readonly 'ui:options': { readonly sections: readonly FormSection[] };
  readonly [name: string]: FieldUiSchema | { readonly sections: readonly FormSection[] };
}

interface FieldUiSchema {
  readonly 'ui:widget': string;
  readonly 'ui:title': string;
  readonly 'ui:help'?: string;
  readonly 'ui:placeholder'?: string;
  /** Widgets of types with properties of their own read them here. */
  readonly 'ui:options': { readonly resourceField: Field };
}

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
 * How each property is drawn, in the terms of rjsf.
 *
 * @example <Form schema={formSchema(fields)} uiSchema={formUiSchema(sections)} />
 */
export function formUiSchema(sections: readonly FormSection[]): FormUiSchema {
  const property = (field: Field): FieldUiSchema => ({
    'ui:widget': field.type,
    'ui:title': field.label,
    ...(field.help !== undefined && { 'ui:help': field.help }),
    ...(field.placeholder !== undefined && { 'ui:placeholder': field.placeholder }),
    'ui:options': { resourceField: field },
  });
  const fields = sections.flatMap((section) => section.fields);
  return {
    ...Object.fromEntries(fields.map((field) => [field.name, property(field)])),
    'ui:options': { sections },
  };
}
