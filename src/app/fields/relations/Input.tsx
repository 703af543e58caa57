import { ManyChoicesInput } from '../../choices/ManyChoicesInput';
import type { InputProps } from '../fieldComponents';

/** Many records of another resource, each a chip. */
export function Input({ choices, ...props }: InputProps) {
  return <ManyChoicesInput {...props} source={choices ?? emptySource} />;
}

const emptySource = { key: ['nothing'], load: () => Promise.resolve([]) };
