import { createContext, use, type ReactNode } from 'react';
import type { Field, FieldOf } from '../../engine/definitions/definition';
import type { FieldState } from '../../engine/forms/field-states';
import type { InputProps } from '../fields/fieldType';
import type { ContinuedTimeProps } from './ContinuedTime';
import type { FormTitles } from './useFormTitles';
import type { SimilarRecordsProps } from './useSimilarRecords';

/** A relation whose target has changed since the version that the record means. */
export interface PinnedTarget {
  readonly field: FieldOf<'relation'>;
  /** The target's id. */
  readonly target: string;
  /** The version that is meant, and that of the target now. */
  readonly pin: string;
  readonly latest: string;
  /** The new version is taken as soon as the form is saved. */
  readonly isTaken: boolean;
  /** Takes the new version, or keeps the old one after all; undefined where the field cannot be changed. */
  readonly onTake?: (taken: boolean) => void;
}

/** A field as its form sees it. */
export interface FieldContextValue {
  readonly state: FieldState;
  /** This field is read-only while others are not. */
  readonly isLocked: boolean;
  /** Its error message. */
  readonly error?: string;
  /** An automatic change of its value, such as being cleared, in words. */
  readonly note?: string;
  /** Its target has changed since the version that is meant. */
  readonly pinnedTarget?: PinnedTarget;
  /** A changed text, to be compared with those of other records. */
  readonly comparison?: SimilarRecordsProps;
  /** It may go on from a time of the caller's last record of the day. */
  readonly continued?: ContinuedTimeProps;
  /** Shown at the end of its label: `in Payments`. */
  readonly sideNote?: string;
  /** Values that only some types need: choices, the earliest day, the stored value. */
  readonly input: Pick<
    InputProps,
    | 'choices'
    | 'notBefore'
    | 'earlierTime'
    | 'siblingValues'
    | 'storedValue'
    | 'owner'
    | 'limit'
    | 'onProblem'
    | 'columnChoices'
    | 'cellErrors'
    | 'resource'
    | 'onPending'
    | 'recordInForm'
  >;
}

/** A form, for its templates and inputs. */
export interface FormContextValue {
  /** The whole form is read-only. */
  readonly readOnly: boolean;
  /** The field that is focused first. */
  readonly first?: string;
  /** The fields whose values stay for the next new record. */
  readonly keptFields: readonly Field[];
  /** The field with the title of the record. */
  readonly titleField: string;
  /** Extra content below the headings of sections, by section label. */
  readonly asides?: Readonly<Record<string, ReactNode>>;
  fieldContext(field: Field): FieldContextValue;
  /** Whether a field has the value that it begins with in a new record. */
  isBegun(field: Field): boolean;
  /** The titles of related records, as far as they are known. */
  readonly titles: FormTitles;
  /** Scrolls to the input of a field and focuses it. */
  focus(name: string): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

/** The form around the caller. */
export function useFormContext(): FormContextValue {
  const form = use(FormContext);
  if (!form) throw new Error('useForm needs a form around it.');
  return form;
}
