import { useRef } from 'react';
import { Icon } from '../icons/Icon';
import { TabBar } from '../layout/TabBar';
import { useDraftPart, type Draft } from './draft';
import { draftErrors, partAt, sectionAt, sections, type Section } from './draftPlaces';
import * as styles from './studio.module.css';

/** Tabs of the sections of the editor; each opens at the place where it was left, and says whether it is changed or has an error. */
export function SectionTabs() {
  const { pointer, pane, go, marks, fieldNames } = useDraftPart((draft) => ({
    pointer: draft.pointer,
    pane: draft.pane,
    go: draft.go,
    marks: marksOf(draft),
    fieldNames: Object.keys(draft.source.fields),
  }));
  const chosenSection = sectionAt(pointer);
  const lastPlaces = useRef(new Map<string, string>());
  const open = (name: Section['name']) => {
    lastPlaces.current.set(chosenSection.name, pointer);
    const [firstPart] = sections.find((section) => section.name === name)?.parts ?? [];
    const [firstField] = fieldNames;
    const isThere = (candidate: string) =>
      !candidate.startsWith('/fields/') || fieldNames.includes(candidate.split('/')[2] ?? '');
    const lastPointer = lastPlaces.current.get(name);
    const nextPointer =
      lastPointer !== undefined && isThere(lastPointer)
        ? lastPointer
        : (firstPart ?? (firstField === undefined ? '' : `/fields/${firstField}`));
    go(nextPointer, pane === 'json' ? 'json' : 'properties');
  };
  return (
    <TabBar
      id="studio-sections"
      label="Sections of the definition"
      className={styles.studioSections}
      tabs={sections.map(({ name, label }) => ({
        name,
        label: (
          <>
            {label}
            {marks[name] && <Mark {...marks[name]} />}
          </>
        ),
      }))}
      chosenTab={chosenSection.name}
      onChoose={open}
    />
  );
}

interface MarkProps {
  hasError: boolean;
}

function Mark({ hasError }: MarkProps) {
  return hasError ? (
    <Icon name="warning" size={14} label="Has an error" className={styles.studioSectionWrong} />
  ) : (
    <span className={styles.studioSectionMark} title="Changed">
      <span className="unseen">, changed</span>
    </span>
  );
}

/** The sections that the draft changes, or that have errors. */
function marksOf(draft: Draft): Partial<Record<Section['name'], MarkProps>> {
  const marks: Partial<Record<Section['name'], MarkProps>> = {};
  const mark = (path: string, hasError: boolean) => {
    // A change of the whole definition is in no section.
    if (path.startsWith('/fields') || partAt(path)) marks[sectionAt(path).name] = { hasError };
  };
  for (const { path } of draft.changes) mark(path, false);
  for (const { path } of draftErrors(draft)) mark(path, true);
  return marks;
}
