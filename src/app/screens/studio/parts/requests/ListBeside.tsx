import { useDraftPart } from '../../draft';
import { ResourceProperty } from '../../properties/ResourceProperty';
import { SwitchRow } from '../../properties/SwitchProperty';
import { useDraftValue } from '../../properties/useDraftValue';
import { QueryProperty } from '../QueryProperty';

/** The records that the dialog of a request lists beside its form. */
export function ListBeside({ at }: { at: string }) {
  const { value, set, hint, error } = useDraftValue(at);
  const { name, one } = useDraftPart(({ source }) => ({ name: source.name, one: source.labels.one.toLowerCase() }));
  const { resource } = (value ?? {}) as { resource?: string };
  return (
    <>
      <SwitchRow
        label="Records are listed beside the form"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        onChange={(on) => set(on ? { resource: name } : undefined)}
      />
      {value !== undefined && (
        <>
          <ResourceProperty at={`${at}/resource`} label="List of" brief />
          <QueryProperty
            at={`${at}/query`}
            label="Which records are listed"
            none="All."
            record={`the ${one}`}
            {...{ resource }}
          />
        </>
      )}
    </>
  );
}
