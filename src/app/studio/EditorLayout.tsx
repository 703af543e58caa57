import { TabBar, type Tab } from '../layout/TabBar';
import { usePage } from '../layout/page';
import { useDraftPart, type Pane, useDraftStore } from './draft';
import { EditorBar } from './EditorBar';
import { PropertiesTabs } from './PropertiesTabs';
import { FieldsPane } from './fields/FieldsPane';
import { JsonPane } from './json/JsonPane';
import { EditorNotices } from './EditorNotices';
import { PlanPanel } from './plan/PlanPanel';
import { usePublish, type Publishing } from './plan/usePublish';
import { Preview } from './preview/Preview';
import { PropertiesPane } from './properties/PropertiesPane';
import { SectionTabs } from './SectionTabs';
import { sectionAt } from './draftPlaces';
import { useIsNarrow } from './useIsNarrow';
import * as styles from './studio.module.css';
import { LossesDialog } from './plan/LossesDialog';
import { RulesDialog } from './plan/RulesDialog';
import { useEffect, useEffectEvent, type KeyboardEvent as ReactKeyboardEvent } from 'react';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'defaultPrevented'
> & {
  preventDefault(): void;
};

/**
 * Ctrl+S publishes, wherever the focus is. Ctrl+Z and Ctrl+Shift+Z undo and redo changes of the draft, except in text
 * inputs, which have their own undo. Returns a handler for keys pressed in the preview, which is a separate document.
 */
function useEditorKeys(publish: () => void): (event: ReactKeyboardEvent) => void {
  const store = useDraftStore();
  const press = (event: KeyPress) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 's' && !event.shiftKey) {
      event.preventDefault();
      publish();
    }
    if (key === 'z' && !isTyping(event.target)) {
      event.preventDefault();
      const { undo, redo } = store.get();
      (event.shiftKey ? redo : undo)?.();
    }
  };
  const onKey = useEffectEvent(press);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // In the capture phase, before another handler can stop the event.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return press;
}

const isTyping = (target: EventTarget | null) =>
  target !== null &&
  'matches' in target &&
  ((target as HTMLElement).isContentEditable ||
    (target as HTMLElement).matches('textarea, input:not([type=checkbox], [type=radio])'));

const paneTabs: readonly Tab<Pane>[] = [
  { name: 'fields', label: 'Fields' },
  { name: 'properties', label: 'Properties' },
  { name: 'json', label: 'JSON' },
  { name: 'preview', label: 'Preview' },
  { name: 'plan', label: 'Plan' },
];

/** The panes of the editor side by side; on narrow screens one at a time, with tabs. */
export function EditorLayout() {
  const { title, pane, pointer, go } = useDraftPart((draft) => ({
    title: draft.source.labels.many,
    pane: draft.pane,
    pointer: draft.pointer,
    go: draft.go,
  }));
  const isNarrow = useIsNarrow();
  usePage({ title, note: 'Definition', back: { to: '/studio', label: 'Studio' } });
  const publishing = usePublish();
  const onKey = useEditorKeys(publishing.publish);
  // A section of one part needs no list of its parts.
  const isAlone = !isNarrow && sectionAt(pointer).parts.length === 1;
  const isVisible = (part: Pane) => !isNarrow || part === pane;
  return (
    <div className={styles.studio} data-narrow={isNarrow || undefined} data-face={pane} onKeyDownCapture={onKey}>
      <EditorBar />
      <EditorNotices />
      {isNarrow ? (
        <TabBar
          id="studio-parts"
          label="Panes of the editor"
          className={styles.studioParts}
          tabs={paneTabs}
          chosenTab={pane}
          onChoose={(next) => go(pointer, next)}
        />
      ) : (
        <SectionTabs />
      )}
      <div
        className={styles.studioPanes}
        id={isNarrow ? 'studio-parts-panel' : 'studio-sections-panel'}
        data-alone={isAlone || undefined}
      >
        {isVisible('fields') && !isAlone && <FieldsPane />}
        {(!isNarrow || pane === 'properties' || pane === 'json') && (
          <section
            id="studio-faces-panel"
            className={styles.studioPane}
            aria-label={pane === 'json' ? 'JSON' : 'Properties'}
          >
            {pane === 'json' ? <JsonPane tabs={<PropertiesTabs />} /> : <PropertiesPane />}
          </section>
        )}
        {isVisible('preview') && (
          <section className={`${styles.studioPane} ${styles.studioPreview}`} aria-label="Live preview">
            <Preview />
          </section>
        )}
      </div>
      {isVisible('plan') && <PlanPanel publishing={publishing} />}
      <PublishDialogs publishing={publishing} />
    </div>
  );
}

/** The confirmations before publishing. */
function PublishDialogs({ publishing }: { publishing: Publishing }) {
  const { question, isBusy, confirm, closeQuestion } = publishing;
  if (!question) return null;
  const Question = question.kind === 'losses' ? LossesDialog : RulesDialog;
  return <Question steps={question.steps} isBusy={isBusy} onConfirm={confirm} onClose={closeQuestion} />;
}
