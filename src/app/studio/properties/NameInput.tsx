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
  const [typedName, setTypedName] = useState(name);
  const problem = typedName === name ? undefined : problemOf(typedName);
  const take = () => (typedName === name || problem !== undefined ? setTypedName(name) : onRename(typedName));
  return (
    <TextInput
      {...input}
      isCode
      error={problem}
      value={typedName}
      onChange={setTypedName}
      onBlur={take}
      onEnter={take}
    />
  );
}
