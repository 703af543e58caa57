import { ChoiceInput } from '../../choices/ChoiceInput';
import type { InputProps } from '../fieldComponents';

/** One record of another resource, found by typing. */
export function Input({ choices, ...props }: InputProps) {
  return <ChoiceInput {...props} source={choices ?? emptySource} />;
}

const emptySource = { key: ['nothing'], load: () => Promise.resolve([]) };
