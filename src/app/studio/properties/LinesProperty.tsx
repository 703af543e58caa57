import { TextInput } from './TextInput';
import { useDraftValue } from './useDraftValue';

/** A text that is stored as a list of its lines. */
export function LinesProperty({ pointer, label }: { pointer: string; label: string }) {
  const { value, set, hint, error } = useDraftValue(pointer);
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <TextInput
      {...{ label, hint, error }}
      lines={6}
      maxLines={30}
      isCode
      value={lines.join('\n')}
      onChange={(text) => set(text.split('\n'))}
    />
  );
}
