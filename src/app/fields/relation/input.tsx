import { ChoiceInput } from '../choices/ChoiceInput';
import type { InputFacets, InputProps } from '../fieldType';

/** One record of another resource, found by typing. */
function Input({ choices, ...props }: InputProps) {
  return <ChoiceInput {...props} source={choices ?? emptySource} />;
}

const emptySource = { key: ['nothing'], load: () => Promise.resolve([]) };

export default { Input } satisfies InputFacets;
