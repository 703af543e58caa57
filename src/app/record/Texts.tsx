import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { RecordPage } from '../../engine/pages/record-page';
import { useDefinitions } from '../data/DefinitionsContext';
import { PageValue, pageWidthOf } from '../fields/pages';
import * as styles from './record.module.css';

interface TextsProps {
  definition: Definition;
  record: ResourceRecord;
  sections: RecordPage['sections'];
}

/** The long fields of a record as text; two short ones side by side. */
export function Texts({ definition, record, sections }: TextsProps) {
  const { registry } = useDefinitions();
  return sections.map(({ label, fields }, index) => {
    // Without a label of the section its fields come right below the record's title.
    const Label = label === undefined ? 'h3' : 'h4';
    const paired = pairedFields(fields);
    return (
      <section key={index} className={styles.recordTexts} aria-label={label ?? 'Text'}>
        {label !== undefined && <h3>{label}</h3>}
        {fields.map((field) => (
          <div key={field.name} className={styles.recordText} data-width={paired.has(field) ? 'half' : 'full'}>
            <Label>{field.label}</Label>
            <PageValue {...{ field, record, definition, registry }} value={record[field.name]} />
          </div>
        ))}
      </section>
    );
  });
}

/** The fields that stand beside another one: two that follow each other and need half of the width. */
function pairedFields(fields: readonly Field[]): ReadonlySet<Field> {
  const paired = new Set<Field>();
  fields.forEach((field, index) => {
    const previous = fields[index - 1];
    if (!previous || paired.has(previous) || [previous, field].some((neighbour) => pageWidthOf(neighbour) !== 'half'))
      return;
    paired.add(previous).add(field);
  });
  return paired;
}
