import { TabBar, type Tab } from '../layout/TabBar';
import { usePage } from '../layout/page';
import { useDraftPart, type Pane } from './draft';
import { EditorBar } from './EditorBar';
import { PropertiesTabs } from './PropertiesTabs';
import { FieldsPane } from './fields/FieldsPane';
import { JsonPane } from './json/JsonPane';
import { EditorNotices } from './EditorNotices';
import { PlanPanel } from './plan/PlanPanel';
import { PublishDialogs } from './plan/PublishDialogs';
import { usePublish } from './plan/usePublish';
import { Preview } from './preview/Preview';
import { PropertiesPane } from './properties/PropertiesPane';
import { useEditorKeys } from './useEditorKeys';
import { useIsNarrow } from './useIsNarrow';
import * as styles from './studio.module.css';

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
  const isVisible = (part: Pane) => !isNarrow || part === pane;
  return (
    <div className={styles.studio} data-narrow={isNarrow || undefined} data-face={pane} onKeyDownCapture={onKey}>
      <EditorBar />
      <EditorNotices />
      {isNarrow && (
        <TabBar
          id="studio-parts"
          label="Panes of the editor"
          className={styles.studioParts}
          tabs={paneTabs}
          chosenTab={pane}
          onChoose={(next) => go(pointer, next)}
        />
      )}
      <div className={styles.studioPanes} id="studio-parts-panel">
        {isVisible('fields') && <FieldsPane />}
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
