import { ChoiceAt } from './ChoiceAt';
import { TextAt } from './TextAt';

const widths = [
  { value: 'full', label: 'The whole row' },
  { value: 'half', label: 'Half of a row' },
  { value: 'quarter', label: 'A quarter of a row' },
];

/** What the form and lists say about a field, and how wide it is. */
export function FieldTexts({ name }: { name: string }) {
  const at = (key: string) => `/fields/${name}/${key}`;
  return (
    <div className="studio-pair">
      <TextAt at={at('help')} label="Help" />
      <TextAt at={at('placeholder')} label="Placeholder" />
      <TextAt at={at('empty')} label="Without a value" brief />
      <ChoiceAt at={at('width')} label="Width" ways={widths} none="By its type" brief />
    </div>
  );
}
