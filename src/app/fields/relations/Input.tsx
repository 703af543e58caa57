import { ManyChoicesInput } from '../../choices/ManyChoicesInput';
import type { InputProps } from '../part';

/** Many records of another resource, each a chip. */
export function Input({ choices, ...props }: InputProps) {
  return <ManyChoicesInput {...props} source={choices ?? nothing} />;
}

const nothing = { key: ['nothing'], load: () => Promise.resolve([]) };
