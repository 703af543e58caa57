import { useState } from 'react';
import { TextInput } from './TextInput';

interface NameInputProps extends Omit<Parameters<typeof TextInput>[0], 'value' | 'error' | 'onChange' | 'onEnter'> {
  name: string;
  /** Why a name cannot be taken; undefined if it can. */
  problemOf: (name: string) => string | undefined;
  onRename: (name: string) => void;
}

/** A name that is changed when its input is left, or with Enter; one that cannot be taken is given up. */
export function NameInput({ name, problemOf, onRename, ...input }: NameInputProps) {
  const [typed, setTyped] = useState(name);
  const problem = typed === name ? undefined : problemOf(typed);
  const take = () => (typed === name || problem !== undefined ? setTyped(name) : onRename(typed));
  return <TextInput {...input} isCode error={problem} value={typed} onChange={setTyped} onBlur={take} onEnter={take} />;
}
