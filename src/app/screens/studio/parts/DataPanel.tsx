import Button from '@mui/material/Button';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraftPart } from '../draft';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import { CopyInputs, ExportInputs } from './ExportInputs';
import { ImportInputs } from './ImportInputs';
import { NamedExports } from './NamedExports';
import { OverlapInputs } from './OverlapInputs';
import { Parameters } from './Parameters';
import { PrintInputs } from './PrintInputs';
import { PublicInputs } from './PublicInputs';
import * as styles from '../properties/properties.module.css';

/** What holds of whole records, and how they come in, go out and are copied. */
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
      <h3 className={styles.studioPart}>Export</h3>
      <ExportInputs />
      <NamedExports />
      <hr />
      <h3 className={styles.studioPart}>Printed page</h3>
      <PrintInputs />
      <hr />
      <h3 className={styles.studioPart}>Public form</h3>
      <PublicInputs />
      <hr />
      <h3 className={styles.studioPart}>Copies</h3>
      <CopyInputs />
      <hr />
      <h3 className={styles.studioPart}>Unique combinations</h3>
      <Unique />
      <hr />
      <h3 className={styles.studioPart}>Overlaps</h3>
      <OverlapInputs />
      <hr />
      <h3 className={styles.studioPart}>Additional indexes</h3>
      <Indexes />
      <hr />
      <h3 className={styles.studioPart}>Parameters</h3>
      <Parameters />
    </>
  );
}

/** The names of a list of fields, where it stands by itself. */
const namesOf = (entry: unknown) => (Array.isArray(entry) ? entry.map(String) : []);
/** An emptied list stays, so that what is missing is said at its place. */
const keepList = (chosen: string[]) => chosen;

/** The fields of a definition as options, and the labels of several. */
function useFieldLabels() {
  const fields = useDraftPart(({ source }) => fieldOptions(source));
  const told = (names: readonly string[]) =>
    names.map((name) => fields.find(({ value }) => value === name)?.label ?? name).join(', ');
  return { fields, told };
}

/** Combinations of fields that no two records share: a list of fields each, or one with a condition and a message. */
function Unique() {
  const { fields, told } = useFieldLabels();
  const { value, set, hint } = useDraftValue('/unique');
  const entries = Array.isArray(value) ? (value as unknown[]) : [];
  const first = fields.find(({ value: name }) => name !== 'id')?.value ?? 'id';
  return (
    <>
      <p className={styles.studioHint}>{hint}</p>
      <ListProperty
        at="/unique"
        label="Unique combinations"
        add="Add a combination"
        none="None besides unique fields"
        blank={() => ({ fields: [first] })}
        titleOf={(entry) => told(namesOf(Array.isArray(entry) ? entry : entry.fields))}
        noteOf={({ where }) => (where === undefined ? undefined : 'under a condition')}
      >
        {(place) => {
          const index = Number(place.split('/').at(-1));
          const isPlain = Array.isArray(entries[index]);
          return (
            <>
              <MultiChoiceProperty
                at={isPlain ? place : `${place}/fields`}
                label="Fields"
                ways={fields}
                write={keepList}
                brief
              />
              {isPlain ? (
                <div>
                  <Button
                    size="small"
                    variant="outlined"
                    onClick={() => set(entries.with(index, { fields: entries[index] }))}
                  >
                    Add a condition or a message
                  </Button>
                </div>
              ) : (
                <>
                  <ConditionProperty at={`${place}/where`} label="Only among records where" />
                  <TextProperty at={`${place}/message`} label="Message" usual="Names the fields" />
                </>
              )}
            </>
          );
        }}
      </ListProperty>
    </>
  );
}

/** Indexes besides those that come by themselves: a list of fields each. */
function Indexes() {
  const { fields, told } = useFieldLabels();
  return (
    <ListProperty
      at="/indexes"
      label="Additional indexes"
      add="Add an index"
      none="None besides those of relations, search and sorting"
      blank={() => [fields[0]?.value ?? 'id'] as unknown as Readonly<Record<string, unknown>>}
      titleOf={(entry) => told(namesOf(entry))}
    >
      {(place) => <MultiChoiceProperty at={place} label="Fields" ways={fields} write={keepList} brief />}
    </ListProperty>
  );
}
