import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { JsonProperty } from '../properties/JsonProperty';
import { ListProperty } from '../properties/ListProperty';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';

/** What holds of whole records, and how they come in: rules, unique combinations, import, indexes, parameters. */
export function DataPanel() {
  const fields = useDraftPart(({ source }) => fieldOptions(source));
  return (
    <>
      <h3 className={styles.studioPart}>Rules of a record</h3>
      <ListProperty
        at="/validate"
        label="Rules of a record"
        add="Add a rule of a record"
        none="None besides those of the fields"
        blank={() => ({ must: {}, at: fields[0]?.value ?? 'id', message: 'This does not fit together.' })}
        titleOf={({ message }) => String(message ?? '')}
        noteOf={({ at }) => `at ${String(at ?? '')}`}
      >
        {(place) => (
          <>
            <ConditionProperty at={`${place}/must`} label="Must hold" keepEmpty />
            <ConditionProperty at={`${place}/when`} label="Only of records where" />
            <ChoiceProperty at={`${place}/at`} label="Message at" ways={fields} brief />
            <TextProperty at={`${place}/message`} label="Message" brief />
          </>
        )}
      </ListProperty>
      <hr />
      <h3 className={styles.studioPart}>Import</h3>
      <ImportInputs />
      <hr />
      <h3 className={styles.studioPart}>More</h3>
      <JsonProperty at="/unique" label="Unique combinations" usual="None" wide />
      <JsonProperty at="/indexes" label="Additional indexes" usual="None" wide />
      <JsonProperty at="/parameters" label="Parameters" usual="None" wide />
    </>
  );
}

function ImportInputs() {
  const { value, set, hint } = useDraftValue('/import');
  const fields = useDraftPart(({ source }) => fieldOptions(source, (_, name) => name !== 'id'));
  return (
    <>
      <SwitchRow
        label="Records can be imported"
        on={value !== undefined}
        hint={hint}
        onChange={(on) => set(on ? {} : undefined)}
      />
      {value !== undefined && (
        <>
          <MultiChoiceProperty at="/import/match" label="A row finds its record by" ways={fields} usual="Nothing" />
          <MultiChoiceProperty at="/import/fields" label="Fields of a file" ways={fields} usual="All of the form" />
        </>
      )}
    </>
  );
}
