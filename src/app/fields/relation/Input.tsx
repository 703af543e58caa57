import { ChoiceInput } from '../../choices/ChoiceInput';
import type { InputProps } from '../part';

/** One record of another resource, found by typing. */
export function Input({ choices, ...props }: InputProps) {
  return <ChoiceInput {...props} source={choices ?? nothing} />;
}

const nothing = { key: ['nothing'], load: () => Promise.resolve([]) };
