import type { FieldSource, Source } from '../../../../engine/definitions/source';
import { renameOption } from '../../../../engine/studio/fields';
import { parsePointer, valueAtPath } from '../../../../engine/studio/json';
import { useDraftStore } from '../draft';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import { withValueAt } from './withValueAt';

/** The value of an option. When a published one is changed, the option keeps the former value, so that rows follow. */
export function OptionValue({ at, label }: { at: string; label: string }) {
  const store = useDraftStore();
  const [, place, index] = /^(.*)\/(\d+)\/[^/]+$/.exec(at)!;
  const { value: options } = useDraftValue(place!);
  // An emptied value stays of the kind of the others.
  const isNumber = Array.isArray(options) && (options as Options).some(({ value }) => typeof value === 'number');
  const rename = (next: string | number | undefined) => {
    const { base, edit } = store.get();
    edit((source) => {
      const steps = parsePointer(place!);
      const written = valueAtPath(source, steps) as Options;
      return withValueAt(
        source,
        steps,
        renameOption(written, Number(index), next, publishedOptions(base.source, steps)),
      );
    });
  };
  const Input = isNumber ? NumberProperty : TextProperty;
  return <Input {...{ at, label }} onChange={rename} />;
}

type Options = NonNullable<FieldSource['options']>;

function publishedOptions(source: Source, steps: readonly string[]): Options | undefined {
  const options = valueAtPath(source, steps);
  return Array.isArray(options) ? (options as Options) : undefined;
}
