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
  busy: boolean;
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
  const [refused, setRefused] = useState<FormErrors<Name>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);

  const complain = (of: Values<Name>): FormErrors<Name> => {
    const found: FormErrors<Name> = {};
    for (const name of names) {
      const complaint = checks[name]?.(of[name], of);
      if (complaint) found[name] = complaint;
    }
    return found;
  };

  const focusFirst = (wrong: FormErrors<Name>) => {
    const first = names.find((name) => wrong[name]);
    if (first) document.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
  };

  const fail = (cause: unknown) => {
    if (!(cause instanceof ApiError)) throw cause;
    const known: FormErrors<Name> = {};
    for (const name of names) if (cause.errors[name]) known[name] = cause.errors[name];
    const elsewhere = Object.keys(cause.errors).some((name) => !names.includes(name as Name));
    setRefused(known);
    focusFirst(known);
    if (elsewhere || Object.keys(known).length === 0) setFailure(cause.message);
  };

  const submit = async (of: Values<Name>) => {
    if (sending.current) return;
    setLeft(new Set(names));
    setFailure(undefined);
    setRefused({});
    const wrong = complain(of);
    if (Object.keys(wrong).length > 0) return focusFirst(wrong);

    sending.current = true;
    setBusy(true);
    const trimmed = Object.fromEntries(
      names.map((name) => [name, name.includes('password') ? of[name] : of[name].trim()]),
    ) as Values<Name>;
    await send(trimmed)
      .catch(fail)
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  };

  const wrong = complain(values);
  const errors: FormErrors<Name> = { ...refused };
  for (const name of left) if (wrong[name]) errors[name] = wrong[name];

  return {
    values,
    errors,
    failure,
    busy,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setRefused(({ [name]: _, ...others }) => others as FormErrors<Name>);
    },
    // An empty field that was only passed through shows no error yet.
    leave: (name) => values[name] !== '' && setLeft((before) => new Set(before).add(name)),
    onSubmit: (event) => {
      event.preventDefault();
      void submit(values);
    },
    submitWith: (filled) => {
      setValues(filled);
      void submit(filled);
    },
  };
}
