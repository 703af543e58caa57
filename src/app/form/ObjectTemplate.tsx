import useMediaQuery from '@mui/material/useMediaQuery';
import type { ObjectFieldTemplateProps } from '@rjsf/utils';
import { useEffect, useState } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormSection as Section } from '../../engine/forms/form-fields';
import { joinNames } from '../../engine/formats/join-names';
import { inputOf } from '../fields/inputs';
import { useOwnerDocument } from '../layout/FramedContext';
import { preloadLazy } from '../states/lazyComponent';
import { useFormContext } from './FormContext';
import { FormSection } from './FormSection';
import { PreserveFocus } from './PreserveFocus';
import * as styles from './form.module.css';
import { requireValue } from '../../engine/values/lookups';

/** Windows in which a rail stands beside the other sections, as in `form.module.css`. */
const wideWindow = '@media (min-width: 1024px)';

/**
 * Loads the code of inputs that a form loads when it shows them. Returns what to wait for so that nothing in the form
 * moves afterwards; undefined if there is nothing.
 */
export function preloadForm({ fields, form }: Definition): Promise<unknown> | undefined {
  const parts: object[] = [];
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

/**
 * The form's sections with their visible fields. A form with a rail has it at the right; in narrow windows the rail is
 * folded in its place among the others.
 */
export function ObjectTemplate({ properties, formData, uiSchema }: ObjectFieldTemplateProps) {
  const { fieldContext, keptFields } = useFormContext();
  const page = useOwnerDocument();
  const isWide = useMediaQuery(wideWindow, { noSsr: true, matchMedia: page.defaultView?.matchMedia });
  const sections = requireValue(uiSchema?.['ui:options'], 'the options of a form').sections as readonly Section[];
  const contents = new Map(properties.map(({ name, content }) => [name, content]));
  const values = formData as ResourceRecord;
  const hasRail = sections.some(({ rail }) => rail);
  const visibleSections = sections
    .map((section, position) => ({
      position,
      section: {
        ...section,
        folded: section.folded || (section.rail && !isWide),
        fields: section.fields.filter((field) => fieldContext(field).state.visible),
      },
    }))
    .filter(({ section }) => section.fields.length > 0);
  const shownSections = (isInPlace: (section: Section, position: number) => boolean) =>
    visibleSections
      .filter(({ section, position }) => isInPlace(section, position))
      // Keyed by position, so that renaming a section does not remount the input in use.
      .map(({ section, position }) => <FormSection key={position} {...{ section, contents, values, hasRail }} />);
  if (!hasRail) return <PreserveFocus>{shownSections(() => true)}</PreserveFocus>;
  const railPosition = sections.findIndex(({ rail }) => rail);
  // The same elements in windows of any width: an input that moved to others would lose the uploads that it sends.
  const firstPart = (
    <div key="first" className={styles.formMain}>
      {shownSections(({ rail }, position) => !rail && position < railPosition)}
    </div>
  );
  const lastPart = (
    <div key="last" className={styles.formMain}>
      {shownSections(({ rail }, position) => !rail && position > railPosition)}
    </div>
  );
  const rail = (
    <div key="rail" className={styles.formRail}>
      {shownSections((section) => section.rail === true)}
      {isWide && keptFields.length > 0 && (
        <p className={styles.formKept}>{joinNames(keptFields.map(({ label }) => label))} stay for the next one.</p>
      )}
    </div>
  );
  // Keys go through them as they are read: beside the others the rail is last.
  return (
    <PreserveFocus rail={isWide ? 'beside' : 'below'}>
      {isWide ? [firstPart, lastPart, rail] : [firstPart, rail, lastPart]}
    </PreserveFocus>
  );
}
