import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { RecordPage } from '../../engine/pages/record-page';
import { isEmpty } from '../../engine/values/is-empty';
import { useDefinitions } from '../data/DefinitionsContext';
import { PageValue } from '../fields/pages';
import * as styles from './record.module.css';

interface TextsProps {
  definition: Definition;
  record: ResourceRecord;
  sections: RecordPage['sections'];
}

/** The long fields of a record as text. Those without a value are named in one line. */
export function Texts({ definition, record, sections }: TextsProps) {
  const { registry } = useDefinitions();
  return sections.map(({ label, fields }, index) => {
    // Without a label of the section its fields come right below the record's title.
    const Label = label === undefined ? 'h3' : 'h4';
    const filledFields = fields.filter((field) => !isEmpty(record[field.name]));
    const emptyFields = fields.filter((field) => isEmpty(record[field.name]));
    return (
      <section key={index} className={styles.recordTexts} aria-label={label ?? 'Text'}>
        {label !== undefined && <h3>{label}</h3>}
        {filledFields.map((field) => (
          <div key={field.name} className={styles.recordText} data-width={field.width}>
            <Label>{field.label}</Label>
            <PageValue {...{ field, record, definition, registry }} value={record[field.name]} />
          </div>
        ))}
        {emptyFields.length > 0 && <p className={styles.recordEmpty}>{emptyWords(emptyFields)}</p>}
      </section>
    );
  });
}

/** `No preconditions, no steps.` */
function emptyWords(fields: readonly Field[]): string {
  const words = fields.map(({ label }) => `no ${label.toLowerCase()}`).join(', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
