import { useDraft } from '../draft';
import { ManyAt } from '../properties/ChoiceAt';
import { TextAt } from '../properties/TextAt';
import { actionWays, fieldWays } from '../properties/ways';
import { ChoiceAt } from '../properties/ChoiceAt';
import { CardLines } from './CardLines';

/** Properties of the cards; phones always show cards. */
export function CardPanel() {
  const { source } = useDraft();
  const fields = fieldWays(source);
  const people = fieldWays(source, ({ type }) => type === 'relation');
  return (
    <>
      <TextAt at="/list/card/title" label="Title" usual="The record’s title" brief />
      <TextAt at="/list/card/subtitle" label="Subtitle" usual="None" />
      <TextAt at="/list/card/mark" label="Mark" usual="initials" />
      <ManyAt at="/list/card/marks" label="Side by side below the title" ways={fields} usual="None" brief />
      <CardLines at="/list/card/lines" />
      <ChoiceAt at="/list/card/person" label="Person" ways={people} none="Nobody" brief />
      <ManyAt at="/list/card/menu" label="Menu" ways={actionWays(source)} usual="Every action" brief />
    </>
  );
}
