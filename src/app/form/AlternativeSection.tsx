import { useId, useState } from 'react';
import type { Field } from '../../engine/definitions/definition';
import { isEmpty } from '../../engine/values/is-empty';
import { Icon } from '../icons/Icon';
import { useFormContext, type FormPartProps } from './FormContext';
import * as labelStyles from '../fields/labels.module.css';
import * as styles from './form.module.css';

/**
 * A section whose fields are alternatives: one of them is shown, and a switch leads to the others, which keep their values.
 * It begins with the first that has a value in the stored record, else with the last. A hidden field that has a fault is
 * shown too. A form that is only read shows all that have values.
 */
export default function AlternativeSection({ section, values, contents }: FormPartProps) {
  const id = useId();
  const { fieldContext, readOnly, asides } = useFormContext();
  const [chosenLabel, setChosenLabel] = useState<string>();
  /** Fields with faults that were found while they were hidden: they stay until the switch is used. */
  const [faulty, setFaulty] = useState<readonly string[]>([]);
  const alternatives = (section.alternatives ?? [])
    .map(({ label, fields }) => ({ label, fields: section.fields.filter(({ name }) => fields.includes(name)) }))
    .filter(({ fields }) => fields.length > 0);
  const hasValue = (readValue: (field: Field) => unknown) => (alternative: (typeof alternatives)[number]) =>
    alternative.fields.some((field) => !isEmpty(readValue(field)));
  const isFilled = hasValue(({ name }) => values[name]);
  const shownAlternative =
    alternatives.find(({ label }) => label === chosenLabel) ??
    alternatives.find(hasValue((field) => fieldContext(field).input.storedValue)) ??
    alternatives.at(-1);
  const isShown = (field: Field) => {
    const alternative = alternatives.find(({ fields }) => fields.includes(field));
    if (!alternative || alternative === shownAlternative) return true;
    return readOnly ? isFilled(alternative) : faulty.includes(field.name);
  };
  const hiddenFaultyFields = section.fields.filter(
    (field) => !isShown(field) && fieldContext(field).error !== undefined,
  );
  if (hiddenFaultyFields.length > 0 && !readOnly) setFaulty([...faulty, ...hiddenFaultyFields.map(({ name }) => name)]);
  const keptAlternatives = readOnly
    ? []
    : alternatives.filter((alternative) => alternative !== shownAlternative && isFilled(alternative));
  return (
    <section className={styles.formSection} aria-labelledby={id} data-alternatives="">
      <header>
        <div className={styles.formPurpose}>
          <h2 id={id}>{section.label}</h2>
          {section.description && <p>{section.description}</p>}
          {asides?.[section.label]}
        </div>
        {!readOnly && alternatives.length > 1 && (
          <div role="group" aria-label={`${section.label}: how they are written`}>
            {alternatives.map((alternative) => (
              <button
                key={alternative.label}
                type="button"
                aria-pressed={alternative === shownAlternative}
                onClick={() => {
                  setChosenLabel(alternative.label);
                  setFaulty([]);
                }}
              >
                {alternative.label}
              </button>
            ))}
          </div>
        )}
      </header>
      {keptAlternatives.length > 0 && (
        <p className={labelStyles.fieldHint} role="status">
          <Icon name="info" size={14} />
          {keptAlternatives.map(({ label }) => label).join(', ')}: what is written there is kept, and saved too.
        </p>
      )}
      <div className={styles.formGrid}>
        {section.fields.filter(isShown).map((field) => (
          <div
            key={field.name}
            className={styles.field}
            data-field={field.name}
            data-width={field.width}
            data-named-above={field.label === section.label || undefined}
          >
            {contents.get(field.name)}
          </div>
        ))}
      </div>
    </section>
  );
}
