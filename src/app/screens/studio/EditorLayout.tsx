import { TabBar, type Tab } from '../../layout/TabBar';
import { usePage } from '../../layout/page';
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
  const { title, pane, place, go } = useDraftPart((draft) => ({
    title: draft.source.labels.many,
    pane: draft.pane,
    place: draft.place,
    go: draft.go,
  }));
  const narrow = useIsNarrow();
  usePage({ title, note: 'Definition', back: { to: '/studio', label: 'Studio' } });
  const publishing = usePublish();
  const onKey = useEditorKeys(publishing.publish);
  const shows = (part: Pane) => !narrow || part === pane;
  return (
    <div className={styles.studio} data-narrow={narrow || undefined} data-face={pane} onKeyDownCapture={onKey}>
      <EditorBar />
      <EditorNotices />
      {narrow && (
        <TabBar
          id="studio-parts"
          label="Panes of the editor"
          className={styles.studioParts}
          tabs={paneTabs}
          chosen={pane}
          onChoose={(next) => go(place, next)}
        />
      )}
      <div className={styles.studioPanes} id="studio-parts-panel">
        {shows('fields') && <FieldsPane />}
        {(!narrow || pane === 'properties' || pane === 'json') && (
          <section
            id="studio-faces-panel"
            className={styles.studioPane}
            aria-label={pane === 'json' ? 'JSON' : 'Properties'}
          >
            {pane === 'json' ? <JsonPane tabs={<PropertiesTabs />} /> : <PropertiesPane />}
          </section>
        )}
        {shows('preview') && (
          <section className={`${styles.studioPane} ${styles.studioPreview}`} aria-label="Live preview">
            <Preview />
          </section>
        )}
      </div>
      {shows('plan') && <PlanPanel publishing={publishing} />}
      <PublishDialogs publishing={publishing} />
    </div>
  );
}
