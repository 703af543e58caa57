import type { FieldSource, Source } from '../../../engine/language/source';
import { renameOption } from '../../../engine/studio/fields';
import { parsePointer, valueAtPath } from '../../../engine/formats/json';
import { useDraftStore } from '../draft';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import { withValueAt } from './withValueAt';

/** The value of an option. When a published one is changed, the option keeps the former value, so that rows follow. */
export function OptionValue({ pointer, label }: { pointer: string; label: string }) {
  const store = useDraftStore();
  const [, listPointer, index] = /^(.*)\/(\d+)\/[^/]+$/.exec(pointer)!;
  const { value: options } = useDraftValue(listPointer!);
  // An emptied value stays of the kind of the others.
  const isNumber = Array.isArray(options) && (options as Options).some(({ value }) => typeof value === 'number');
  const rename = (next: string | number | undefined) => {
    const { base, edit } = store.get();
    edit((source) => {
      const steps = parsePointer(listPointer!);
      const storedOptions = valueAtPath(source, steps) as Options;
      return withValueAt(
        source,
        steps,
        renameOption(storedOptions, Number(index), next, publishedOptions(base.source, steps)),
      );
    });
  };
  const Input = isNumber ? NumberProperty : TextProperty;
  return <Input {...{ pointer, label }} onChange={rename} />;
}

type Options = NonNullable<FieldSource['options']>;

function publishedOptions(source: Source, steps: readonly string[]): Options | undefined {
  const options = valueAtPath(source, steps);
  return Array.isArray(options) ? (options as Options) : undefined;
}
