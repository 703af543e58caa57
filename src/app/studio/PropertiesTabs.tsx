import { TabBar, type Tab } from '../layout/TabBar';
import { useDraftPart } from './draft';
import { useIsNarrow } from './useIsNarrow';
import * as styles from './studio.module.css';

const propertiesTabs: readonly Tab<'properties' | 'json'>[] = [
  { name: 'properties', label: 'Properties' },
  { name: 'json', label: 'JSON' },
];

/** Tabs to switch between properties and JSON. On narrow screens the tabs of all panes replace them. */
export function PropertiesTabs() {
  const { pane, pointer, go } = useDraftPart((draft) => ({ pane: draft.pane, pointer: draft.pointer, go: draft.go }));
  if (useIsNarrow()) return null;
  return (
    <TabBar
      id="studio-faces"
      label="Views of the definition"
      className={styles.studioFaces}
      tabs={propertiesTabs}
      chosenTab={pane === 'json' ? 'json' : 'properties'}
      onChoose={(next) => go(pointer, next)}
    />
  );
}
