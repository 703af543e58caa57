import { ManyChoicesInput } from '../choices/ManyChoicesInput';
import type { InputFacets, InputProps } from '../fieldType';

/** Many records of another resource, each a chip. */
function Input({ choices, ...props }: InputProps) {
  return <ManyChoicesInput {...props} source={choices ?? emptySource} />;
}

const emptySource = { key: ['nothing'], load: () => Promise.resolve([]) };

export default { Input } satisfies InputFacets;
