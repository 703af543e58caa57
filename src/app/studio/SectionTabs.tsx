import { useRef } from 'react';
import { Icon } from '../icons/Icon';
import { TabBar } from '../layout/TabBar';
import { useDraftPart, type Draft } from './draft';
import { draftErrors, sectionAt, sections, type Section } from './draftPlaces';
import * as styles from './studio.module.css';

/** Tabs of the sections of the editor; each opens at the place where it was left, and says whether it is changed or has an error. */
export function SectionTabs() {
  const { pointer, pane, go, marks, firstField } = useDraftPart((draft) => ({
    pointer: draft.pointer,
    pane: draft.pane,
    go: draft.go,
    marks: marksOf(draft),
    firstField: Object.keys(draft.source.fields)[0],
  }));
  const chosenSection = sectionAt(pointer);
  const lastPlaces = useRef(new Map<string, string>());
  const open = (name: Section['name']) => {
    lastPlaces.current.set(chosenSection.name, pointer);
    const [firstPart] = sections.find((section) => section.name === name)?.parts ?? [];
    const nextPointer =
      lastPlaces.current.get(name) ?? firstPart ?? (firstField === undefined ? '' : `/fields/${firstField}`);
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
  for (const { path } of draft.changes) marks[sectionAt(path).name] = { hasError: false };
  for (const { path } of draftErrors(draft)) marks[sectionAt(path).name] = { hasError: true };
  return marks;
}
