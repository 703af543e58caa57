import { createContext, use, type ReactNode } from 'react';
import type { Field } from '../../engine/definitions/definition';
import type { FieldState } from '../../engine/forms/field-states';
import type { FormSection } from '../../engine/forms/form-fields';
import type { InputProps } from '../fields';

/** What stands around a field's input. */
export interface FieldSurroundings {
  readonly state: FieldState;
  /** It cannot be changed, while others of the form can. */
  readonly locked: boolean;
  /** What is wrong with it, in words. */
  readonly error?: string;
  /** What happened to it by itself, such as having been cleared. */
  readonly note?: string;
  /** Stands at the end of its label: `in Payments`. */
  readonly aside?: string;
  /** What only some types want: choices, an earlier day, the stored value. */
  readonly input: Pick<InputProps, 'choices' | 'notBefore' | 'stored' | 'owner' | 'onProblem'>;
}

/** A form as its templates and inputs see it. */
export interface FormShape {
  readonly sections: readonly FormSection[];
  /** Nothing in it may be changed. */
  readonly readOnly: boolean;
  /** The field that the focus starts on. */
  readonly first?: string;
  /** What stands below the name of a section, by that name. */
  readonly asides?: Readonly<Record<string, ReactNode>>;
  around(field: Field): FieldSurroundings;
}

export const FormContext = createContext<FormShape | null>(null);

/** The form around a template or an input. */
export function useForm(): FormShape {
  const form = use(FormContext);
  if (!form) throw new Error('useForm needs a form around it.');
  return form;
}
