import Button from '@mui/material/Button';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraftPart } from '../draft';
import { MultiChoiceProperty } from '../properties/ChoiceProperty';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';

/** An emptied list stays, so that what is missing is said at its place. */
const keepList = (chosen: string[]) => chosen;

/** Combinations of fields that no two records share: a list of fields each, or one with a condition and a message. */
export function UniqueInputs() {
  const fields = useDraftPart(({ source }) => fieldOptions(source));
  const labelled = (names: unknown) =>
    (Array.isArray(names) ? names : []).map(
      (name) => fields.find(({ value }) => value === name)?.label ?? String(name),
    );
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
        titleOf={(entry) => labelled(Array.isArray(entry) ? entry : entry.fields).join(', ')}
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
