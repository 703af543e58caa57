import Button from '@mui/material/Button';
import type { Section } from '../../../engine/definitions/definition';
import { normalise } from '../../../engine/normalise/normalise';
import { readSections, writeSections, type SectionView } from '../../../engine/studio/sections';
import { Icon } from '../../icons/Icon';
import { useDraft } from '../draft';
import { PartForm } from '../properties/PartForm';
import { ListProperty } from '../properties/ListProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions, isInForms } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';
import { AddMenu } from '../properties/AddMenu';
import { type Option, ChoiceProperty } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { itemAt } from '../../../engine/values/lookups';

const widthOptions = [
  { value: 'full', label: 'Full row' },
  { value: 'half', label: 'Half a row' },
  { value: 'quarter', label: 'Quarter of a row' },
];

/** The fields of a section in their order. */
function SectionFields({ pointer, free }: { pointer: string; free: readonly Option[] }) {
  const { source } = useDraft();
  const { value, set, error } = useDraftValue(pointer);
  const names = Array.isArray(value) ? value.map(String) : [];
  const options = fieldOptions(source);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Fields</span>
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
      <SortedList
        label="Fields of the section"
        items={names}
        emptyText="A section needs a field"
        keyOf={(name) => name}
        titleOf={(name) => options.find((option) => option.value === name)?.label ?? name}
        onMove={(oldIndex, newIndex) =>
          set(names.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(names, oldIndex)))
        }
        onRemove={(index) => set(names.toSpliced(index, 1))}
      >
        {(name) => (
          <ChoiceProperty
            pointer={`/fields/${name}/width`}
            label="Width"
            options={widthOptions}
            emptyText="Default of its type"
          />
        )}
      </SortedList>
      <AddMenu label="Add a field" options={free} onAdd={(name) => set([...names, name])} />
    </div>
  );
}

/** The sections of the form; if the definition has none, a button that creates them from the default. */
export function Sections() {
  const { source, valid, edit } = useDraft();
  const { error } = useDraftValue('/form/sections');
  const sections = readSections(source);
  if (!sections)
    return (
      <>
        <p className={styles.studioHint}>
          The form has one section with all editable fields, in the order of the fields.
        </p>
        <div>
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="pencil" />}
            onClick={() => edit((now) => writeSections(now, toSectionViews(normalise(valid.source).form.sections)))}
          >
            Arrange the sections
          </Button>
        </div>
      </>
    );
  const usedNames = new Set(sections.flatMap(({ fields }) => fields));
  const free = fieldOptions(source, (field, name) => isInForms(field) && !usedNames.has(name) && name in source.fields);
  return (
    <>
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
      <ListProperty
        pointer="/form/sections"
        label="Sections"
        add="Add a section"
        createEntry={() => ({ label: 'New section', fields: free[0] ? [free[0].value] : [] })}
        titleOf={({ label }) => String(label ?? '')}
        noteOf={({ fields }) => `${(fields as unknown[] | undefined)?.length ?? 0} fields`}
      >
        {(entryPointer) => (
          <>
            <TextProperty pointer={`${entryPointer}/label`} label="Label" />
            <TextProperty pointer={`${entryPointer}/description`} label="Description" lines={2} />
            <SectionFields pointer={`${entryPointer}/fields`} free={free} />
            <PartForm pointer={entryPointer} keys={['rail', 'folded', 'onDemand']} />
            <ListProperty
              pointer={`${entryPointer}/alternatives`}
              label="Alternatives"
              emptyText="All fields are shown"
              add="Add an alternative"
              createEntry={() => ({ label: 'New alternative', fields: [] })}
              titleOf={({ label }) => String(label ?? '')}
              noteOf={({ fields }) => `${(fields as unknown[] | undefined)?.length ?? 0} fields`}
            >
              {(alternativePointer) => (
                <>
                  <TextProperty pointer={`${alternativePointer}/label`} label="Label" />
                  <SectionFields
                    pointer={`${alternativePointer}/fields`}
                    free={fieldOptions(source, (field, name) => isInForms(field) && name in source.fields)}
                  />
                </>
              )}
            </ListProperty>
          </>
        )}
      </ListProperty>
    </>
  );
}

const toSectionViews = (sections: readonly Section[]): SectionView[] =>
  sections.map(({ label, description, fields }) => ({
    label,
    ...(description !== undefined && { description }),
    fields: fields.filter((name) => name !== 'site_id'),
  }));
