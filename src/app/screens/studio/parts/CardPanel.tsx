import { writtenTypeOf } from '../../../../engine/field-types';
import { useDraft } from '../draft';
import { MultiChoiceProperty } from '../properties/ChoiceProperty';
import { TextProperty } from '../properties/TextProperty';
import { actionOptions, fieldOptions } from '../properties/fieldOptions';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { ListProperty } from '../properties/ListProperty';
import { CardLines } from './CardLines';
import * as styles from '../properties/properties.module.css';

/** Properties of the cards; phones always show cards. */
export function CardPanel() {
  const { source } = useDraft();
  const fields = fieldOptions(source);
  const people = fieldOptions(source, (field) => writtenTypeOf(field).holds === 'record');
  return (
    <>
      <TextProperty at="/list/card/title" label="Title" usual="The record’s title" brief />
      <TextProperty at="/list/card/subtitle" label="Subtitle" usual="None" />
      <TextProperty at="/list/card/mark" label="Mark" usual="initials" />
      <ChoiceProperty at="/list/card/key" label="Key above the title" ways={fields} none="The id" />
      <MultiChoiceProperty
        at="/list/card/marks"
        label="Side by side below the title"
        ways={fields}
        usual="None"
        brief
      />
      <CardLines at="/list/card/lines" />
      <Counts />
      <ChoiceProperty at="/list/card/person" label="Person" ways={people} none="Nobody" brief />
      <MultiChoiceProperty at="/list/card/menu" label="Menu" ways={actionOptions(source)} usual="Every action" brief />
    </>
  );
}

/** Counts of related records at the foot of the card. */
function Counts() {
  const { source } = useDraft();
  const counted = fieldOptions(source, (field) => ['referrers', 'records'].includes(writtenTypeOf(field).holds));
  const labelled = (name: unknown) => counted.find(({ value }) => value === name)?.label ?? String(name ?? '');
  const [first] = counted;
  const isWritten = source.list?.card?.counts !== undefined;
  if (!first && !isWritten) return null;
  return (
    <div>
      <span className={styles.studioLabel}>Counts</span>
      <ListProperty
        at="/list/card/counts"
        label="Counts"
        add="Add a count"
        none="No counts"
        blank={() => ({ field: first?.value, one: 'record', many: 'records' })}
        titleOf={({ field }) => labelled(field)}
      >
        {(place) => (
          <>
            <ChoiceProperty at={`${place}/field`} label="Counts the" ways={counted} brief />
            <div className={styles.studioPair}>
              <TextProperty at={`${place}/one`} label="One is called" brief />
              <TextProperty at={`${place}/many`} label="Several are called" brief />
            </div>
            <ChoiceProperty
              at={`${place}/action`}
              label="A click takes the action"
              ways={actionOptions(source)}
              none="None"
              brief
            />
          </>
        )}
      </ListProperty>
    </div>
  );
}
