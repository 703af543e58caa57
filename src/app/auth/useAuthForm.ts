import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../session/api';
import type { Check } from './rules';

type Values<Name extends string> = Readonly<Record<Name, string>>;
type FormErrors<Name extends string> = Partial<Record<Name, string>>;

export interface AuthFormState<Name extends string> {
  values: Values<Name>;
  /** The error of each field to show now. */
  errors: FormErrors<Name>;
  /** The error to show below the form. */
  failure: string | undefined;
  isBusy: boolean;
  set: (name: Name, value: string) => void;
  leave: (name: Name) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Fills in the form and submits it at once. */
  submitWith: (values: Values<Name>) => void;
}

/**
 * A form of text fields. Validates a field when it is left and all of them on submit, and focuses the first invalid
 * one. `send` gets trimmed values (passwords as typed). Errors that it throws are shown: those of known fields below
 * them, the rest below the form.
 */
export function useAuthForm<Name extends string>(
  initial: Values<Name>,
  checks: Partial<Record<Name, Check>>,
  send: (values: Values<Name>) => Promise<void>,
): AuthFormState<Name> {
  const names = Object.keys(initial) as Name[];
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set());
  const [serverErrors, setServerErrors] = useState<FormErrors<Name>>({});
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isSending = useRef(false);

  const complain = (fieldValues: Values<Name>): FormErrors<Name> => {
    const complaints: FormErrors<Name> = {};
    for (const name of names) {
      const complaint = checks[name]?.(fieldValues[name], fieldValues);
      if (complaint) complaints[name] = complaint;
    }
    return complaints;
  };

  const focusFirst = (invalid: FormErrors<Name>) => {
    const first = names.find((name) => invalid[name]);
    if (first) document.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
  };

  const fail = (cause: unknown) => {
    if (!(cause instanceof ApiError)) throw cause;
    const fieldErrors: FormErrors<Name> = {};
    for (const name of names) if (cause.errors[name]) fieldErrors[name] = cause.errors[name];
    const hasOtherErrors = Object.keys(cause.errors).some((name) => !names.includes(name as Name));
    setServerErrors(fieldErrors);
    focusFirst(fieldErrors);
    if (hasOtherErrors || Object.keys(fieldErrors).length === 0) setFailure(cause.message);
  };

  const submit = async (fieldValues: Values<Name>) => {
    if (isSending.current) return;
    setLeft(new Set(names));
    setFailure(undefined);
    setServerErrors({});
    const complaints = complain(fieldValues);
    if (Object.keys(complaints).length > 0) return focusFirst(complaints);

    isSending.current = true;
    setIsBusy(true);
    const trimmedValues = Object.fromEntries(
      names.map((name) => [name, name.includes('password') ? fieldValues[name] : fieldValues[name].trim()]),
    ) as Values<Name>;
    await send(trimmedValues)
      .catch(fail)
      .finally(() => {
        isSending.current = false;
        setIsBusy(false);
      });
  };

  const currentComplaints = complain(values);
  const errors: FormErrors<Name> = { ...serverErrors };
  for (const name of left) if (currentComplaints[name]) errors[name] = currentComplaints[name];

  return {
    values,
    errors,
    failure,
    isBusy,
    set: (name, value) => {
      setValues((valuesBefore) => ({ ...valuesBefore, [name]: value }));
      setServerErrors(({ [name]: _, ...otherErrors }) => otherErrors as FormErrors<Name>);
    },
    // An empty field that was only passed through shows no error yet.
    leave: (name) => values[name] !== '' && setLeft((leftBefore) => new Set(leftBefore).add(name)),
    onSubmit: (event) => {
      event.preventDefault();
      void submit(values);
    },
    submitWith: (newValues) => {
      setValues(newValues);
      void submit(newValues);
    },
  };
}
