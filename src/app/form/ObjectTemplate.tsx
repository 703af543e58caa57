import type { ObjectFieldTemplateProps } from '@rjsf/utils';
import { useEffect, useId, useState } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormSection } from '../../engine/forms/form-fields';
import { inputOf } from '../fields/inputs';
import { lazyComponent, preloadLazy } from '../states/lazyComponent';
import { useFormContext, type FormPartProps } from './FormContext';
import { PreserveFocus } from './PreserveFocus';
import * as styles from './form.module.css';
import { requireValue } from '../../engine/values/lookups';

const AlternativeSection = lazyComponent(() => import('./AlternativeSection'));

/**
 * Loads the code of inputs and sections that a form loads when it shows them. Returns what to wait for so that nothing
 * in the form moves afterwards; undefined if there is nothing.
 */
export function preloadForm({ fields, form }: Definition): Promise<unknown> | undefined {
  const parts: object[] = form.sections.some(({ alternatives }) => alternatives) ? [AlternativeSection] : [];
  for (const name of form.sections.flatMap((section) => section.fields))
    if (fields[name]) parts.push(inputOf(fields[name]).Widget ?? inputOf(fields[name]).Input);
  const preloads = parts.flatMap((part) => preloadLazy(part) ?? []);
  return preloads.length === 0 ? undefined : Promise.all(preloads);
}

/** Whether the code of a form has loaded, or could not be: a button below a part that arrives later would move away. */
export function useFormCode(definition: Definition): boolean {
  const [isReady, setReady] = useState(() => preloadForm(definition) === undefined);
  useEffect(() => {
    let isShown = true;
    void preloadForm(definition)?.then(() => isShown && setReady(true));
    return () => {
      isShown = false;
    };
  }, [definition]);
  return isReady;
}

/** The form's sections: heading and description on the left, visible fields on the right. */
export function ObjectTemplate({ properties, formData, uiSchema }: ObjectFieldTemplateProps) {
  const { fieldContext } = useFormContext();
  const sections = requireValue(uiSchema?.['ui:options'], 'the options of a form').sections as readonly FormSection[];
  const contents = new Map(properties.map(({ name, content }) => [name, content]));
  // Keyed by position, so that renaming a section does not remount the input in use.
  const visibleSections = sections
    .map((section, position) => ({
      place: position,
      ...section,
      fields: section.fields.filter((field) => fieldContext(field).state.visible),
    }))
    .filter((section) => section.fields.length > 0);
  return (
    <PreserveFocus>
      {visibleSections.map((section) => {
        const Part = section.alternatives ? AlternativeSection : Section;
        return <Part key={section.place} {...{ section, contents }} values={formData as ResourceRecord} />;
      })}
    </PreserveFocus>
  );
}

function Section({ section, contents }: FormPartProps) {
  const id = useId();
  const singleField = section.fields.length === 1 ? section.fields[0] : undefined;
  const { asides } = useFormContext();
  const Aside = singleField && inputOf(singleField).Aside;
  return (
    <section className={styles.formSection} aria-labelledby={id}>
      <div className={styles.formPurpose}>
        <h2 id={id}>{section.label}</h2>
        {section.description && <p>{section.description}</p>}
        {Aside && <Aside />}
        {asides?.[section.label]}
      </div>
      <div className={styles.formGrid}>
        {section.fields.map((field) => (
          <div key={field.name} className={styles.field} data-field={field.name} data-width={field.width}>
            {contents.get(field.name)}
          </div>
        ))}
      </div>
    </section>
  );
}
