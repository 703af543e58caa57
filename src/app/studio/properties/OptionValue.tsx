import type { FieldSource, Source } from '../../../engine/language/source';
import { renameOption } from '../../../engine/studio/fields';
import { parsePointer, valueAtPath } from '../../../engine/formats/json';
import { itemAt } from '../../../engine/values/lookups';
import { useDraftStore } from '../draft';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import { withValueAt } from './withValueAt';

/** The value of an option. When a published one is changed, the option keeps the former value, so that rows follow. */
export function OptionValue({ pointer, label }: { pointer: string; label: string }) {
  const store = useDraftStore();
  // The pointer of the list, the index of the option, and the key of its value.
  const steps = pointer.split('/');
  const listPointer = steps.slice(0, -2).join('/');
  const index = Number(itemAt(steps, -2));
  const { value: options } = useDraftValue(listPointer);
  // An emptied value stays of the kind of the others.
  const isNumber = Array.isArray(options) && (options as Options).some(({ value }) => typeof value === 'number');
  const rename = (next: string | number | undefined) => {
    const { base, edit } = store.get();
    edit((source) => {
      const listSteps = parsePointer(listPointer);
      const storedOptions = valueAtPath(source, listSteps) as Options;
      return withValueAt(
        source,
        listSteps,
        renameOption(storedOptions, index, next, publishedOptions(base.source, listSteps)),
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
