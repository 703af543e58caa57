import { TabBar, type Tab } from '../../src/app/layout/TabBar';
import { usePage } from '../../src/app/layout/page';
import { useDraft, type Face } from './draft';
import { EditorBar } from './EditorBar';
import { FaceTabs } from './FaceTabs';
import { FieldsPane } from './fields/FieldsPane';
import { JsonFace } from './json/JsonFace';
import { Notices } from './Notices';
import { PlanPanel } from './plan/PlanPanel';
import { PublishDialogs } from './plan/PublishDialogs';
import { usePublish } from './plan/usePublish';
import { Preview } from './preview/Preview';
import { PropertiesPane } from './properties/PropertiesPane';
import { useEditorKeys } from './useEditorKeys';
import { useNarrow } from './useNarrow';

const parts: readonly Tab<Face>[] = [
  { name: 'fields', label: 'Fields' },
  { name: 'properties', label: 'Properties' },
  { name: 'json', label: 'JSON' },
  { name: 'preview', label: 'Preview' },
  { name: 'plan', label: 'Plan' },
];

/** The panes of the editor side by side; on narrow screens one at a time, with tabs. */
export function Workbench() {
  const { source, face, place, go } = useDraft();
  const narrow = useNarrow();
  usePage({ title: source.labels.many, note: 'Definition', back: { to: '/studio', label: 'Studio' } });
  const publishing = usePublish();
  const onKey = useEditorKeys(publishing.publish);
  const shows = (part: Face) => !narrow || part === face;
  return (
    <div className="studio" data-narrow={narrow || undefined} data-face={face} onKeyDownCapture={onKey}>
      <EditorBar />
      <Notices />
      {narrow && (
        <TabBar
          id="studio-parts"
          label="Panes of the editor"
          className="studio-parts"
          tabs={parts}
          chosen={face}
          onChoose={(next) => go(place, next)}
        />
      )}
      <div className="studio-panes" id="studio-parts-panel">
        {shows('fields') && <FieldsPane />}
        {(!narrow || face === 'properties' || face === 'json') && (
          <section
            id="studio-faces-panel"
            className="studio-pane studio-middle"
            aria-label={face === 'json' ? 'JSON' : 'Properties'}
          >
            {face === 'json' ? <JsonFace tabs={<FaceTabs />} /> : <PropertiesPane />}
          </section>
        )}
        {shows('preview') && (
          <section className="studio-pane studio-preview" aria-label="Live preview">
            <Preview />
          </section>
        )}
      </div>
      {shows('plan') && <PlanPanel publishing={publishing} />}
      <PublishDialogs publishing={publishing} />
    </div>
  );
}
