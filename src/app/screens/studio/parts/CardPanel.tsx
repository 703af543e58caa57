import { writtenTypeOf } from '../../../../engine/field-types';
import { useDraft } from '../draft';
import { MultiChoiceProperty } from '../properties/ChoiceProperty';
import { TextProperty } from '../properties/TextProperty';
import { actionOptions, fieldOptions } from '../properties/fieldOptions';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { CardLines } from './CardLines';

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
      <ChoiceProperty at="/list/card/person" label="Person" ways={people} none="Nobody" brief />
      <MultiChoiceProperty at="/list/card/menu" label="Menu" ways={actionOptions(source)} usual="Every action" brief />
    </>
  );
}
